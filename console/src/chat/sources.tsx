import { useText } from "../text/catalogue";
import { Popover } from "../ui/popover/popover";
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
      <Card source={source} />
    </Popover>
  );
}

/** All sources of an answer, below it. */
export function SourceList({ sources }: { sources: readonly Source[] }) {
  const text = useText(chatText);
  return (
    <details className={styles.list}>
      <summary>{text.sources(sources.length)}</summary>
      <ol>
        {sources.map((source) => (
          <li key={source.n}>
            <Card source={source} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Card({ source }: { source: Source }) {
  const text = useText(chatText);
  return (
    <div className={styles.card}>
      <p className={styles.place}>
        <span className={styles.number}>{source.n}</span>
        <b>{source.name}</b>
        {source.page !== undefined && <span>{text.page(source.page)}</span>}
      </p>
      {source.quote && <p className={styles.quote}>{source.quote}</p>}
    </div>
  );
}
