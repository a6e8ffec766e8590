import { useState } from "react";
import { useText } from "../../text/catalogue";
import { isInputName } from "../model/field";
import { canvasText } from "../text";
import styles from "./rows.module.css";

type Props = {
  name: string;
  others: readonly string[];
  isDisabled?: boolean;
  isWide?: boolean;
  /** Names need not be such as code and templates can use. */
  anyName?: boolean;
  /** It was just added under a name that was made up: what is typed takes its place. */
  isNew?: boolean | undefined;
  onChange: (name: string) => void;
};

/** The name of an input or output; it holds once the field is left. */
export function NameField(props: Props) {
  const { name, others, isDisabled, isWide, anyName, isNew, onChange } = props;
  const text = useText(canvasText);
  const [draft, setDraft] = useState<string>();
  const now = draft ?? name;
  const isBad = (!anyName && !isInputName(now)) || others.includes(now);
  function leave(): void {
    if (draft !== undefined && draft !== name && !isBad) onChange(draft);
    setDraft(undefined);
  }
  return (
    <input
      className={isWide ? `${styles.name} ${styles.grow}` : styles.name}
      aria-label={text.form.name}
      aria-invalid={isBad || undefined}
      title={isBad ? text.form.badName : undefined}
      disabled={isDisabled}
      // biome-ignore lint/a11y/noAutofocus: it was added to be named
      autoFocus={isNew}
      onFocus={(event) => isNew && event.target.select()}
      value={now}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === "Enter") leave();
      }}
    />
  );
}

export function freeName(names: readonly string[], stem: string): string {
  if (!names.includes(stem)) return stem;
  for (let number = 2; ; number += 1) {
    if (!names.includes(`${stem}${number}`)) return `${stem}${number}`;
  }
}
