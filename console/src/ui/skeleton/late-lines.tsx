import { Skeleton } from "./skeleton";
import styles from "./skeleton.module.css";
import { useLate } from "./use-late";

/** Where a part of a screen will stand, once its wait is long enough to be seen. */
export function LateLines() {
  const { isLate } = useLate(true);
  return (
    <div aria-busy="true" className={styles.lines}>
      {isLate && [72, 88, 64].map((width) => <Skeleton key={width} width={`${width}%`} />)}
    </div>
  );
}
