import type { ReactNode } from "react";
import styles from "./facts.module.css";

export type Fact = readonly [label: string, value: ReactNode];

/** What is known of one thing; what is empty is left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label} className={styles.fact}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
