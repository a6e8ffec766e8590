import { useText } from "../../../text/catalogue";
import { formatNumber } from "../../../text/formats";
import { classes } from "../../../ui/classes";
import { ServerWords } from "../../../ui/error-state/server-words";
import { CandidateCard } from "./candidate-card";
import type { Found, Stage } from "./queries";
import styles from "./results.module.css";
import { testText } from "./text";
import { keyOf } from "./trials";

type Props = {
  /** Which of two sides it is; nothing where there is one alone. */
  side?: "a" | "b" | undefined;
  workspaceId: string;
  found: Found;
  /** What the other side found, to tell how ranks moved. */
  before?: Found | undefined;
};

/** What one search found, step by step, with what was left out and why. */
export function Results({ side, workspaceId, found, before }: Props) {
  const text = useText(testText);
  const candidates = found.candidates ?? [];
  const hits = new Map(found.items.map((hit) => [keyOf(hit), hit]));
  const shown = found.items.flatMap((hit) => {
    const key = keyOf(hit);
    const candidate = candidates.find((each) => keyOf(each) === key);
    return candidate ? [candidate] : [];
  });
  const left = candidates.filter((candidate) => candidate.cut);
  const ranks = new Map(before?.items.map((hit, index) => [keyOf(hit), index + 1]));
  return (
    <div data-side={side} className={styles.results}>
      <header className={styles.head}>
        {side && <span className={styles.side}>{text.side[side]}</span>}
        <h2 className={styles.title}>
          {shown.length > 0 ? text.found(shown.length) : text.nothing}
        </h2>
        {shown.length > 0 && (
          <span className={styles.note} title={text.tokensWhy}>
            {text.tokens(formatNumber(found.tokens))}
          </span>
        )}
      </header>
      {found.skipped.length > 0 && <p className={styles.note}>{text.skipped}</p>}
      {found.queries.length > 1 && (
        <p className={styles.note}>
          {text.queries}: {found.queries.join(" · ")}
        </p>
      )}
      {found.stages.length > 0 && <Stages stages={found.stages} />}
      {shown.length === 0 && found.skipped.length === 0 && (
        <p className={styles.note}>{text.nothingWhy}</p>
      )}
      <ol className={styles.list}>
        {shown.map((candidate, index) => (
          <li key={keyOf(candidate)} data-slice={keyOf(candidate)}>
            <CandidateCard
              rank={index + 1}
              before={before && (ranks.get(keyOf(candidate)) ?? 0)}
              candidate={candidate}
              hit={hits.get(keyOf(candidate))}
              workspaceId={workspaceId}
            />
          </li>
        ))}
      </ol>
      {left.length > 0 && (
        <details className={styles.left} open={shown.length === 0}>
          <summary className={styles.summary}>{text.left(left.length)}</summary>
          <ol className={styles.list}>
            {left.map((candidate) => (
              <li key={keyOf(candidate)}>
                <CandidateCard candidate={candidate} hit={undefined} workspaceId={workspaceId} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

/** The steps of a search as bars, one after the other or side by side as they were. */
function Stages({ stages }: { stages: readonly Stage[] }) {
  const text = useText(testText);
  const names: Readonly<Record<string, string>> = text.stage;
  const longest = Math.max(...stages.map((stage) => stage.duration_ms), 1);
  return (
    <ul aria-label={text.stages} className={styles.stages}>
      {stages.map((stage) => (
        <li key={stage.name} className={styles.stage} title={stage.degraded || undefined}>
          <span className={styles.stageName}>{names[stage.name] ?? stage.name}</span>
          <span className={styles.track}>
            <span
              className={classes(styles.bar, stage.degraded && styles.degraded)}
              style={{ width: `${Math.max(1, (stage.duration_ms / longest) * 100)}%` }}
            />
          </span>
          <span className={styles.time}>{text.milliseconds(stage.duration_ms.toFixed(1))}</span>
          <span className={styles.count}>{stage.count}</span>
          {stage.degraded && (
            <span className={styles.why}>
              <ServerWords message={stage.degraded} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
