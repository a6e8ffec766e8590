import { useText } from "../../../text/catalogue";
import { Checkbox } from "../../../ui/checkbox/checkbox";
import { NumberField } from "../../../ui/number/number-field";
import { RadioCards } from "../../../ui/radio-cards/radio-cards";
import { Select } from "../../../ui/select/select";
import { TextField } from "../../../ui/text-field/text-field";
import styles from "./forms.module.css";
import { type Cutting, FIRST_CUTTING } from "./rules";
import { Step } from "./step";
import { importText } from "./text";

const SEPARATORS = ["\n\n", "\n", "。", ""] as const;

type Props = { cutting: Cutting; onChange: (cutting: Cutting) => void };

/** How documents become slices. */
export function CuttingForm({ cutting, onChange }: Props) {
  const { cutting: text } = useText(importText);
  return (
    <Step title={text.title}>
      <RadioCards
        label={text.how}
        isLabelHidden
        value={cutting.kind}
        options={[
          { value: "automatic", label: text.automatic, note: text.automaticWhy },
          { value: "level", label: text.level, note: text.levelWhy },
          { value: "custom", label: text.custom, note: text.customWhy },
        ]}
        onChange={(kind) => onChange({ ...cutting, kind })}
      />
      {cutting.kind === "level" && (
        <>
          <NumberField
            label={text.depth}
            value={cutting.depth}
            min={1}
            max={6}
            onChange={(depth) => onChange({ ...cutting, depth: depth ?? FIRST_CUTTING.depth })}
          />
          <Checkbox
            label={text.keepTitle}
            isChecked={cutting.keepsTitle}
            onChange={(keepsTitle) => onChange({ ...cutting, keepsTitle })}
          />
        </>
      )}
      {cutting.kind === "custom" && <CustomForm cutting={cutting} onChange={onChange} />}
    </Step>
  );
}

function CustomForm({ cutting, onChange }: Props) {
  const { cutting: text } = useText(importText);
  const known = SEPARATORS.find((each) => each === cutting.separator) ?? "";
  return (
    <>
      <div className={styles.pair}>
        <Select
          label={text.separator}
          value={known}
          options={SEPARATORS.map((value) => ({ value, label: text.separators[value] }))}
          onChange={(separator) => onChange({ ...cutting, separator: separator || "###" })}
        />
        {known === "" && (
          <TextField
            label={text.ownSeparator}
            value={cutting.separator}
            maxLength={256}
            onChange={(separator) => onChange({ ...cutting, separator })}
          />
        )}
      </div>
      <div className={styles.pair}>
        <NumberField
          label={text.size}
          unit={text.tokens}
          value={cutting.size}
          min={100}
          max={2000}
          step={50}
          onChange={(size) => onChange({ ...cutting, size: size ?? FIRST_CUTTING.size })}
        />
        <NumberField
          label={text.overlap}
          unit="%"
          value={cutting.overlap}
          min={0}
          max={90}
          step={5}
          onChange={(overlap) => onChange({ ...cutting, overlap: overlap ?? 0 })}
        />
      </div>
      <div className={styles.checks}>
        <Checkbox
          label={text.spaces}
          isChecked={cutting.joinsSpaces}
          onChange={(joinsSpaces) => onChange({ ...cutting, joinsSpaces })}
        />
        <Checkbox
          label={text.addresses}
          isChecked={cutting.dropsAddresses}
          onChange={(dropsAddresses) => onChange({ ...cutting, dropsAddresses })}
        />
      </div>
    </>
  );
}
