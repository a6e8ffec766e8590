import { type ReactNode, useId } from "react";
import styles from "./section.module.css";

type Props = { title: string; note?: ReactNode; children: ReactNode };

/** A part of a screen with its title at the side. */
export function Section({ title, note, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.section}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {note && <p className={styles.note}>{note}</p>}
      </div>
      <div className={styles.content}>{children}</div>
    </section>
  );
}
