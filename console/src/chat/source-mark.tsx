import { useText } from "../text/catalogue";
import { Popover } from "../ui/popover/popover";
import { SourceCard } from "./sources";
import styles from "./sources.module.css";
import { chatText } from "./text";
import type { Source } from "./turn";

/** A numbered mark in a text, with a card on hover or focus. */
export function SourceMark({ source }: { source: Source }) {
  const text = useText(chatText);
  const label = text.source(source.n, source.name);
  return (
    <Popover
      label={label}
      side="top"
      isOnHover
      trigger={
        <button type="button" aria-label={label} className={styles.mark}>
          {source.n}
        </button>
      }
    >
      <SourceCard source={source} />
    </Popover>
  );
}
