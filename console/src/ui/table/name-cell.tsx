import type { ReactNode } from "react";
import styles from "./name-cell.module.css";

type Props = { tile: ReactNode; name: ReactNode; note?: string | undefined };

/** What a row is about: its face, its name and one line on it. */
export function NameCell({ tile, name, note }: Props) {
  return (
    <div className={styles.cell}>
      {tile}
      <div className={styles.words}>
        <div className={styles.name}>{name}</div>
        {note && (
          <div className={styles.note} title={note}>
            {note}
          </div>
        )}
      </div>
    </div>
  );
}
