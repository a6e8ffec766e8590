import styles from "./score-bars.module.css";

/** One score, of 0 to 1, and which place it came to. */
export type Score = { key: string; name: string; value: number | undefined; place: string };

/** What each of several searches made of one thing. */
export function ScoreBars({ scores }: { scores: readonly Score[] }) {
  if (scores.length === 0) return null;
  return (
    <ul className={styles.bars}>
      {scores.map(({ key, name, value, place }) => (
        <li key={key} className={styles.line}>
          <span className={styles.name}>{name}</span>
          <span className={styles.track}>
            {value !== undefined && (
              <span
                className={styles.bar}
                style={{ width: `${Math.min(100, Math.max(0, value * 100))}%` }}
              />
            )}
          </span>
          <span className={styles.value}>{value?.toFixed(3)}</span>
          <span className={styles.value}>{place}</span>
        </li>
      ))}
    </ul>
  );
}
