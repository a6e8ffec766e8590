import { keyNames } from "./keys";
import styles from "./kbd.module.css";

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
