import { useText } from "../../../text/catalogue";
import { Skeleton } from "../../../ui/skeleton/skeleton";
import card from "../document/slice-card.module.css";
import styles from "./preview-pane.module.css";
import { importText } from "./text";

/** Where a preview will stand, while its file is read. */
export function Waiting() {
  const { slices: text } = useText(importText);
  return (
    <div className={styles.list} aria-busy="true">
      <p className={styles.head}>{text.waiting}</p>
      {[72, 88, 64].map((width) => (
        <div key={width} className={card.card}>
          <Skeleton width={`${width}%`} />
          <Skeleton width={`${width - 20}%`} />
        </div>
      ))}
    </div>
  );
}
