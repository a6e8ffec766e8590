import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useText } from "../../text/catalogue";
import { formatNumber } from "../../text/formats";
import { runsText } from "./text";
import styles from "./verdicts.module.css";

/** What people thought of the answers of a run; nothing where nobody said. */
export function Verdicts({ up, down }: { up: number; down: number }) {
  const text = useText(runsText);
  if (up + down === 0) return null;
  return (
    <span className={styles.verdicts}>
      {up > 0 && (
        <span role="img" aria-label={text.liked(up)} title={text.liked(up)} className={styles.up}>
          <ThumbsUp size={14} />
          {up > 1 && formatNumber(up)}
        </span>
      )}
      {down > 0 && (
        <span
          role="img"
          aria-label={text.disliked(down)}
          title={text.disliked(down)}
          className={styles.down}
        >
          <ThumbsDown size={14} />
          {down > 1 && formatNumber(down)}
        </span>
      )}
    </span>
  );
}
