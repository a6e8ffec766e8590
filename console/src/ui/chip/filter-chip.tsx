import { ChevronDown, X } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../text/catalogue";
import { classes } from "../classes";
import { Menu, MenuChoice } from "../menu/menu";
import { uiText } from "../text";
import styles from "./filter-chip.module.css";

type Props<T extends string> = {
  label: string;
  value: T | undefined;
  options: readonly { value: T; label: string; icon?: ReactNode; hint?: string }[];
  /** Somebody is about to open it: options that are asked for come now. */
  onNear?: () => void;
  onChange: (value: T | undefined) => void;
};

/** One filter of a list: says what it is set to, and can be cleared. */
export function FilterChip<T extends string>({
  label,
  value,
  options,
  onNear,
  onChange,
}: Props<T>) {
  const text = useText(uiText);
  const chosen = options.find((option) => option.value === value);
  return (
    <span className={classes(styles.chip, chosen && styles.active)}>
      <Menu
        {...(onNear ? { onNear } : {})}
        trigger={
          <button type="button" className={styles.button}>
            {label}
            {chosen ? <b className={styles.value}>{chosen.label}</b> : <ChevronDown size={14} />}
          </button>
        }
      >
        <MenuChoice value={value} options={options} onChange={onChange} />
      </Menu>
      {chosen && (
        <button
          type="button"
          aria-label={`${text.clear}: ${label}`}
          className={styles.clear}
          onClick={() => onChange(undefined)}
        >
          <X size={14} />
        </button>
      )}
    </span>
  );
}
