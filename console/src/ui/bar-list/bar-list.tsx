import type { ReactNode } from "react";
import { classes } from "../classes";
import styles from "./bar-list.module.css";

type Bar = {
  key: string;
  label: string;
  /** Says in small type what is counted. */
  hint?: ReactNode;
  value: string;
  /** Of the whole, 0 to 1. */
  share: number;
  tone?: "neutral" | "warn" | "bad";
};

type Props = {
  label: string;
  bars: readonly Bar[];
  chosen?: string | undefined;
  onChoose: (key: string) => void;
};

/** Shares of a whole below each other; each leads to what it counts, unless that is nothing. */
export function BarList({ label, bars, chosen, onChoose }: Props) {
  return (
    <ul aria-label={label} className={styles.list}>
      {bars.map((bar) => (
        <li key={bar.key}>
          <button
            type="button"
            className={styles.row}
            disabled={bar.share === 0}
            aria-pressed={bar.key === chosen}
            onClick={() => onChoose(bar.key)}
          >
            <span className={styles.label}>{bar.label}</span>
            <span className={styles.value}>{bar.value}</span>
            <span aria-hidden="true" className={styles.track}>
              <span
                className={classes(styles.bar, styles[bar.tone ?? "neutral"])}
                style={{ width: `${bar.share * 100}%` }}
              />
            </span>
            {bar.hint && <span className={styles.hint}>{bar.hint}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
