import styles from "./skeleton.module.css";

/** A place that will be filled: as wide as what comes. */
export function Skeleton({ width, height = 12 }: { width: number | string; height?: number }) {
  return (
    <span aria-hidden="true" data-skeleton className={styles.bone} style={{ width, height }} />
  );
}
