import { useText } from "../../../text/catalogue";
import { Section } from "../../../ui/page/section";
import { Select } from "../../../ui/select/select";
import { TextArea } from "../../../ui/text-field/text-area";
import { TextField } from "../../../ui/text-field/text-field";
import { linksText } from "../text";
import type { PartProps } from "./draft";
import styles from "./editor.module.css";

const THEMES = ["system", "light", "dark"] as const;

/** How the page of a link looks, and what it says first. */
export function Look({ draft, onChange }: PartProps) {
  const text = useText(linksText);
  return (
    <Section title={text.parts.look}>
      <TextField
        label={text.name}
        value={draft.name}
        onChange={(name) => onChange({ name })}
        maxLength={50}
        autoComplete="off"
        required
      />
      <TextArea
        label={text.welcome}
        hint={text.welcomeHint}
        value={draft.welcome}
        onChange={(welcome) => onChange({ welcome })}
        maxLength={2000}
        isShort
      />
      <TextArea
        label={text.suggestions}
        hint={text.suggestionsHint}
        value={draft.suggestions}
        onChange={(suggestions) => onChange({ suggestions })}
        isShort
      />
      <div className={styles.pair}>
        <Select
          label={text.theme}
          value={draft.theme}
          options={THEMES.map((value) => ({ value, label: text.themes[value] }))}
          onChange={(theme) => onChange({ theme })}
        />
        <Select
          label={text.language}
          value={draft.language || "any"}
          options={(["any", "en", "zh"] as const).map((value) => ({
            value,
            label: text.languages[value],
          }))}
          onChange={(language) => onChange({ language: language === "any" ? "" : language })}
        />
      </div>
      <TextField
        label={text.accent}
        hint={text.accentHint}
        value={draft.accent}
        onChange={(accent) => onChange({ accent })}
        maxLength={7}
        autoComplete="off"
      />
      <TextField
        label={text.footer}
        value={draft.footer}
        onChange={(footer) => onChange({ footer })}
        maxLength={200}
        autoComplete="off"
      />
      <TextField
        label={text.closedText}
        hint={text.closedHint}
        value={draft.closed_text}
        onChange={(closed_text) => onChange({ closed_text })}
        maxLength={2000}
        autoComplete="off"
      />
    </Section>
  );
}
