import type { ReactNode } from "react";
import styles from "./empty-state.module.css";

type Props = { title: string; children?: ReactNode; action?: ReactNode; drawing?: ReactNode };

/** Says what will be here, and how it gets here. */
export function EmptyState({ title, children, action, drawing }: Props) {
  return (
    <div className={styles.state}>
      {drawing && <div className={styles.drawing}>{drawing}</div>}
      <h2 className={styles.title}>{title}</h2>
      {children && <p className={styles.text}>{children}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}
