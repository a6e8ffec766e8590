import { useText } from "../../../text/catalogue";
import { Checkbox } from "../../../ui/checkbox/checkbox";
import { Segmented } from "../../../ui/segmented/segmented";
import { Select } from "../../../ui/select/select";
import styles from "./forms.module.css";
import type { Policy, Reading } from "./rules";
import { Step } from "./step";
import { importText } from "./text";

const POLICIES: readonly Policy[] = ["skip", "replace", "keep"];

type Props = {
  isText: boolean;
  reading: Reading;
  policy: Policy;
  onChange: (reading: Reading) => void;
  onPolicy: (policy: Policy) => void;
};

/** How files are read, and what becomes of those that are there already. */
export function ReadingForm({ isText, reading, policy, onChange, onPolicy }: Props) {
  const { reading: text } = useText(importText);
  return (
    <Step title={text.title}>
      {isText && (
        <>
          <div>
            <Segmented
              label={text.mode}
              value={reading.isAccurate ? "accurate" : "fast"}
              options={[
                { value: "accurate", label: text.accurate },
                { value: "fast", label: text.fast },
              ]}
              onChange={(mode) => onChange({ ...reading, isAccurate: mode === "accurate" })}
            />
          </div>
          {reading.isAccurate && (
            <div className={styles.checks}>
              <Checkbox
                label={text.tables}
                isChecked={reading.tables}
                onChange={(tables) => onChange({ ...reading, tables })}
              />
              <Checkbox
                label={text.images}
                isChecked={reading.images}
                onChange={(images) => onChange({ ...reading, images })}
              />
              <Checkbox
                label={text.ocr}
                isChecked={reading.ocr}
                onChange={(ocr) => onChange({ ...reading, ocr })}
              />
            </div>
          )}
        </>
      )}
      <Select
        label={text.duplicates}
        value={policy}
        options={POLICIES.map((value) => ({ value, label: text.policies[value] }))}
        onChange={onPolicy}
      />
    </Step>
  );
}
