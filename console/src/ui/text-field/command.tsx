import { CopyButton } from "../copy/copy-button";
import styles from "./command.module.css";

type Props = { command: string; label?: string };

/** A line for a terminal or a form elsewhere, to be copied. */
export function Command({ command, label }: Props) {
  const line = (
    <div className={styles.command}>
      <code className={styles.line}>{command}</code>
      <CopyButton kind="quiet" value={command} />
    </div>
  );
  if (!label) return line;
  return (
    <div className={styles.labelled}>
      <p className={styles.label}>{label}</p>
      {line}
    </div>
  );
}
