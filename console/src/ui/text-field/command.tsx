import { CopyButton } from "../copy/copy-button";
import styles from "./command.module.css";

/** A line for a terminal, to be copied. */
export function Command({ command }: { command: string }) {
  return (
    <div className={styles.command}>
      <code className={styles.line}>{command}</code>
      <CopyButton kind="quiet" value={command} />
    </div>
  );
}
