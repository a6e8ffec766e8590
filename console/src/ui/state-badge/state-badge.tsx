import type { ReactNode } from "react";
import { classes } from "../classes";
import styles from "./state-badge.module.css";

type Tone = "neutral" | "ok" | "warn" | "bad" | "run" | "wait";

type Props = { tone: Tone; icon: ReactNode; children: ReactNode };

/** A state: a sign and a word, in the colour of its kind. */
export function StateBadge({ tone, icon, children }: Props) {
  return (
    <span className={classes(styles.badge, styles[tone])}>
      {icon}
      <span className={styles.word}>{children}</span>
    </span>
  );
}
