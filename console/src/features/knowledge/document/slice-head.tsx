import type { ReactNode } from "react";
import styles from "./slice-card.module.css";

type Props = {
  label: string;
  number: number;
  path: readonly string[];
  isChosen: boolean;
  /** None where nothing shows the place of a slice. */
  onChoose: (() => void) | undefined;
  /** What is known of it, and what can be done with it. */
  children: ReactNode;
};

/** The line above what a slice says; the whole card chooses it. */
export function SliceHead({ label, number, path, isChosen, onChoose, children }: Props) {
  return (
    <header className={styles.head}>
      {onChoose && (
        <button
          type="button"
          aria-label={label}
          aria-pressed={isChosen}
          className={styles.choose}
          onClick={onChoose}
        />
      )}
      <span className={styles.number}>{number}</span>
      <span className={styles.path}>{path.join(" › ")}</span>
      {children}
    </header>
  );
}
