import { useState } from "react";
import { useText } from "../text/catalogue";
import { formatBytes } from "../text/formats";
import styles from "./steps.module.css";
import { chatText } from "./text";

const SHOWN_CHARS = 600;

/** A text that is cut where it is long, and says how much there is. */
export function Long({ text: value, more }: { text: string; more?: string }) {
  const text = useText(chatText);
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && value.length > SHOWN_CHARS;
  return (
    <div className={styles.long}>
      {isCut ? `${value.slice(0, SHOWN_CHARS)}…` : value}
      {isCut && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          {more ?? text.showAll(formatBytes(value.length))}
        </button>
      )}
    </div>
  );
}
