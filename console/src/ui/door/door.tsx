import { type ReactNode, useEffect } from "react";
import styles from "./door.module.css";

type Props = {
  mark: ReactNode;
  title: string;
  note?: ReactNode;
  foot?: ReactNode;
  children: ReactNode;
};

/** A page before one is signed in: a narrow column with one thing to do. */
export function Door({ mark, title, note, foot, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Coterie`;
  }, [title]);
  return (
    <main className={styles.door}>
      <div className={styles.column}>
        <div className={styles.mark}>{mark}</div>
        <h1 className={styles.title}>{title}</h1>
        {note && <p className={styles.note}>{note}</p>}
        {children}
      </div>
      {foot && <footer className={styles.foot}>{foot}</footer>}
    </main>
  );
}
