import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./section.module.css";

type Props = { title: string; state: ReactNode; isOpen?: boolean; children: ReactNode };

/** A part of the abilities; folded, it says its state in one line. */
export function Section({ title, state, isOpen, children }: Props) {
  return (
    <details className={styles.section} open={isOpen}>
      <summary className={styles.head}>
        <ChevronRight size={14} className={styles.fold} />
        <h3 className={styles.title}>{title}</h3>
        <span className={styles.state}>{state}</span>
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}
