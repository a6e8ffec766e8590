import styles from "./method.module.css";

/** A method of HTTP, in the same width for all. */
export function Method({ method }: { method: string }) {
  return <span className={styles.method}>{method}</span>;
}
