import { useText } from "../text/catalogue";
import styles from "./sources.module.css";
import { chatText } from "./text";
import type { Source } from "./turn";

/** All sources of an answer, below it. */
export function SourceList({ sources }: { sources: readonly Source[] }) {
  const text = useText(chatText);
  return (
    <details className={styles.list}>
      <summary>{text.sources(sources.length)}</summary>
      <ol>
        {sources.map((source) => (
          <li key={source.n}>
            <SourceCard source={source} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** A source: its document and page, what it says, and the way to it. */
export function SourceCard({ source }: { source: Source }) {
  const text = useText(chatText);
  return (
    <div className={styles.card}>
      <p className={styles.place}>
        <span className={styles.number}>{source.n}</span>
        {/^https?:/.test(source.url) ? (
          <a href={source.url} target="_blank" rel="noopener noreferrer nofollow">
            {source.name}
          </a>
        ) : (
          <b>{source.name}</b>
        )}
        {source.page !== undefined && <span>{text.page(source.page)}</span>}
      </p>
      {source.quote && <p className={styles.quote}>{source.quote}</p>}
    </div>
  );
}
