import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./home.module.css";

type FrameProps = {
  icon: LucideIcon;
  tone?: "bad" | "warn";
  title: ReactNode;
  when: ReactNode;
  children?: ReactNode;
};

/** One thing that waits: what, since when, and what is done about it. */
export function Frame({ icon: Icon, tone, title, when, children }: FrameProps) {
  return (
    <article className={styles.waiting}>
      <span className={styles.sign} data-tone={tone}>
        <Icon size={16} strokeWidth={1.5} />
      </span>
      <p className={styles.what}>{title}</p>
      <span className={styles.when}>{when}</span>
      {children && <div className={styles.details}>{children}</div>}
    </article>
  );
}
