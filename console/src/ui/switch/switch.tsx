import { Switch as Base } from "@base-ui/react/switch";
import { type ReactNode, useId } from "react";
import styles from "./switch.module.css";

type Props = {
  label: string;
  hint?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  isDisabled?: boolean;
  isLabelHidden?: boolean;
};

/** Something that works at once when it is switched; a `Checkbox` waits for its form. */
export function Switch({ label, hint, isOn, onChange, isDisabled, isLabelHidden }: Props) {
  const id = useId();
  return (
    <div className={styles.row}>
      {!isLabelHidden && (
        <span className={styles.words}>
          <label htmlFor={id} id={`${id}-label`} className={styles.label}>
            {label}
          </label>
          {hint && (
            <span id={`${id}-note`} className={styles.hint}>
              {hint}
            </span>
          )}
        </span>
      )}
      <Base.Root
        id={id}
        checked={isOn}
        onCheckedChange={(next) => onChange(next)}
        disabled={isDisabled ?? false}
        aria-describedby={hint ? `${id}-note` : undefined}
        {...(isLabelHidden ? { "aria-label": label } : { "aria-labelledby": `${id}-label` })}
        className={styles.track}
      >
        <Base.Thumb className={styles.thumb} />
      </Base.Root>
    </div>
  );
}
