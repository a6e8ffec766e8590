import { Bot, Info } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Combobox } from "../../ui/combobox/combobox";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import type { ComboboxOption } from "../../ui/combobox/options";
import { SideSheet } from "../../ui/dialog/side-sheet";
import { FileChip } from "../../ui/file/file-chip";
import { FileDrop } from "../../ui/file/file-drop";
import { JsonView } from "../../ui/json-view/json-view";
import { NumberField } from "../../ui/number/number-field";
import { Popover } from "../../ui/popover/popover";
import { RadioCards } from "../../ui/radio-cards/radio-cards";
import { Select, type SelectOption } from "../../ui/select/select";
import { SliderField } from "../../ui/slider/slider-field";
import { type Pane, Splitter } from "../../ui/splitter/splitter";
import { Switch } from "../../ui/switch/switch";
import { Tabs } from "../../ui/tabs/tabs";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import styles from "./gallery.module.css";

const HINT = "Counted over the whole conversation.";
const ERROR = "Choose one that is switched on.";
const FRUIT: readonly ComboboxOption[] = [
  { value: "a", label: "gpt-5-mini", note: "OpenAI · 400k window", icon: <Bot size={14} /> },
  { value: "b", label: "qwen3-max", note: "Bailian · 256k window", icon: <Bot size={14} /> },
  { value: "c", label: "offline", note: "Built in", icon: <Bot size={14} />, isDisabled: true },
];
const WAYS: readonly SelectOption<"auto" | "always" | "never">[] = [
  { value: "auto", label: "By the model", hint: "default" },
  { value: "always", label: "Before each answer" },
  { value: "never", label: "Never", isDisabled: true },
];
const CARDS = [
  { value: "auto", label: "Empty", note: "A name and nothing else." },
  { value: "always", label: "From a template", note: "A persona and settings that work." },
] as const;
const SAMPLE = { city: "Oslo", rows: Array.from({ length: 40 }, (_, id) => ({ id, ok: true })) };
const TABS = [
  { value: "auto", label: "Waterfall" },
  { value: "always", label: "Prompt as sent", count: 3 },
] as const;

/** All controls in their states; in development alone. */
export function Gallery() {
  const [one, setOne] = useState<ComboboxOption>();
  const [several, setSeveral] = useState<readonly ComboboxOption[]>(FRUIT.slice(0, 2));
  const [way, setWay] = useState<"auto" | "always" | "never">("auto");
  const [count, setCount] = useState<number | undefined>(20);
  const [share, setShare] = useState<number>();
  const [isOn, setOn] = useState(true);
  const [words, setWords] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [shares, setShares] = useState<readonly number[]>([40, 60]);
  const panes: readonly Pane[] = ["Left", "Right"].map((label, index) => ({
    key: label,
    label,
    share: shares[index] ?? 50,
    least: 20,
    content: <p className={styles.pane}>{label}</p>,
  }));
  const l = (label: string) => ({ label });
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <TextField {...l("Name")} value={words} onChange={setWords} hint={HINT} />
        <Select {...l("Asked")} value={way} options={WAYS} onChange={setWay} hint={HINT} />
        <Select {...l("Asked")} value={undefined} options={WAYS} onChange={setWay} error={ERROR} />
        <Combobox {...l("Model")} value={one} options={FRUIT} onChange={setOne} canBeEmpty />
        <Combobox {...l("Model")} value={FRUIT[0]} options={FRUIT} onChange={setOne} isDisabled />
        <MultiCombobox
          {...l("Models")}
          values={several}
          options={FRUIT}
          onChange={setSeveral}
          onCreate={(typed) => ({ value: typed, label: typed })}
        />
        <NumberField {...l("Longest answer")} value={count} onChange={setCount} unit="tokens" />
        <NumberField {...l("Longest")} value={count} onChange={setCount} error={ERROR} />
        <SliderField
          {...l("Temperature")}
          value={share}
          fallback={0.7}
          min={0}
          max={2}
          step={0.1}
          onChange={setShare}
          hint={HINT}
        />
      </div>
      <div className={styles.column}>
        <Switch {...l("Follow-ups")} hint={HINT} isOn={isOn} onChange={setOn} />
        <Switch {...l("Follow-ups")} isOn={!isOn} onChange={setOn} />
        <Switch {...l("Follow-ups")} isOn={isOn} onChange={setOn} isDisabled />
        <RadioCards
          {...l("Begin with")}
          value={way}
          options={CARDS}
          onChange={setWay}
          columns={2}
        />
        <TextArea {...l("Welcome")} value={words} onChange={setWords} isShort />
        <TextArea {...l("JSON")} value={words} onChange={setWords} isCode error={ERROR} />
        <FileDrop {...l("Choose files or drop them here")} hint={HINT} onFiles={() => undefined} />
        <div className={styles.row}>
          <FileChip name="handbook.pdf" bytes={1_240_000} progress={0.4} />
          <FileChip name="a very long name of a file.docx" bytes={12} onRemove={() => undefined} />
          <FileChip name="huge.zip" error={ERROR} onRetry={() => undefined} />
        </div>
        <div className={styles.row}>
          <Popover
            {...l("About this")}
            trigger={<IconButton {...l("About this")} icon={<Info size={16} />} />}
          >
            {HINT}
          </Popover>
          <Button onClick={() => setOpen(true)}>{HINT}</Button>
        </div>
      </div>
      <div className={styles.column}>
        <Tabs {...l("Details")} value={way} tabs={TABS} onChange={setWay}>
          <p className={styles.pane}>{HINT}</p>
        </Tabs>
        <JsonView {...l("Result")} value={SAMPLE} />
        <div className={styles.frame}>
          <Splitter panes={panes} onChange={setShares} onReset={() => setShares([40, 60])} />
        </div>
      </div>
      <SideSheet isOpen={isOpen} onClose={() => setOpen(false)} title={HINT}>
        <p className={styles.pane}>{HINT}</p>
      </SideSheet>
    </main>
  );
}
