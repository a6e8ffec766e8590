import { KeyRound } from "lucide-react";
import { useState } from "react";
import type { KeyView } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { TextField } from "../../../ui/text-field/text-field";
import styles from "./model-screen.module.css";
import { modelText } from "./text";

type Props = {
  stored: KeyView | undefined;
  value: string;
  isDisabled: boolean;
  onChange: (key: string) => void;
};

/** The key of a model: written, never shown; a new one is tried before it replaces the old one. */
export function KeyField({ stored, value, isDisabled, onChange }: Props) {
  const { key: text } = useText(modelText);
  const [isReplacing, setReplacing] = useState(false);
  const hasStored = stored?.set ?? false;
  if (hasStored && !isReplacing && !value) {
    return (
      <div className={styles.bar}>
        <span>
          <KeyRound size={14} aria-hidden="true" />{" "}
          {stored?.readable ? text.isSet(stored.hint ?? "") : text.unreadable}
        </span>
        {!isDisabled && (
          <Button size="compact" onClick={() => setReplacing(true)}>
            {text.replace}
          </Button>
        )}
      </div>
    );
  }
  if (isDisabled) return <p className={styles.note}>{text.none}</p>;
  return (
    <div className={styles.stack}>
      <TextField
        label={hasStored ? text.newLabel : text.label}
        hint={hasStored ? text.newHint : text.hint}
        type="password"
        value={value}
        onChange={onChange}
        autoComplete="off"
        autoFocus={isReplacing}
      />
      {hasStored && (
        <div>
          <Button
            kind="quiet"
            size="compact"
            onClick={() => {
              onChange("");
              setReplacing(false);
            }}
          >
            {text.keep}
          </Button>
        </div>
      )}
    </div>
  );
}
