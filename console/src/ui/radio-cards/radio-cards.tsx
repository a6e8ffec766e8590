import { type ReactNode, useId } from "react";
import { classes } from "../classes";
import unseen from "../unseen.module.css";
import styles from "./radio-cards.module.css";

type Props<T extends string> = {
  label: string;
  value: T | undefined;
  options: readonly { value: T; label: string; note?: string; icon?: ReactNode }[];
  onChange: (value: T) => void;
  /** How many stand beside each other where there is room. */
  columns?: 1 | 2 | 3;
  isLabelHidden?: boolean;
  isDisabled?: boolean;
};

/** One of a few that need a sentence each. */
export function RadioCards<T extends string>(props: Props<T>) {
  const { label, value, options, onChange, columns = 1, isLabelHidden, isDisabled } = props;
  const name = useId();
  return (
    <fieldset className={styles.group} disabled={isDisabled}>
      <legend className={isLabelHidden ? unseen.unseen : styles.legend}>{label}</legend>
      <div className={classes(styles.cards, styles[`of${columns}`])}>
        {options.map((option) => (
          <label key={option.value} className={styles.card}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className={unseen.unseen}
            />
            {option.icon && <span className={styles.icon}>{option.icon}</span>}
            <span className={styles.words}>
              <span className={styles.name}>{option.label}</span>
              {option.note && <span className={styles.note}>{option.note}</span>}
            </span>
            <span className={styles.dot} aria-hidden="true" />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
