import styles from "./kbd.module.css";
import { keyNames } from "./keys";

/** Keys of a shortcut: `mod+k`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className={styles.keys}>
      {keyNames(keys).map((key) => (
        <span key={key} className={styles.key}>
          {key}
        </span>
      ))}
    </kbd>
  );
}
