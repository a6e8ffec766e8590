import { type ReactNode, useId } from "react";
import field from "../text-field/text-field.module.css";
import unseen from "../unseen.module.css";
import styles from "./segmented.module.css";

type Props<T extends string> = {
  label: string;
  value: T;
  options: readonly { value: T; label: string; icon?: ReactNode }[];
  onChange: (value: T) => void;
  /** Stands above, as those of fields do; else the place says what is chosen. */
  isLabelShown?: boolean;
};

/** One of two to four, all in sight. */
export function Segmented<T extends string>(props: Props<T>) {
  const { label, value, options, onChange, isLabelShown } = props;
  const name = useId();
  const choice = (
    <fieldset className={styles.group}>
      <legend className={unseen.unseen}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className={unseen.unseen}
          />
          {option.icon}
          {option.label}
        </label>
      ))}
    </fieldset>
  );
  if (!isLabelShown) return choice;
  return (
    <div className={field.field}>
      {/* The legend says it to screen readers. */}
      <span aria-hidden="true" className={field.label}>
        {label}
      </span>
      {choice}
    </div>
  );
}
