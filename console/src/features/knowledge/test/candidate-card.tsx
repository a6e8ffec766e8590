import { Link } from "@tanstack/react-router";
import { useText } from "../../../text/catalogue";
import { classes } from "../../../ui/classes";
import { type Score, ScoreBars } from "../../../ui/score-bars/score-bars";
import styles from "./candidate-card.module.css";
import type { Candidate, Hit } from "./queries";
import { testText } from "./text";
import type { Text } from "./text.en";

const CHANNELS = ["embedding", "full_text", "sql", "rerank"] as const;

type Props = {
  /** Absent for what is not shown. */
  rank?: number;
  /** Rank on the other side of a comparison; 0 where it is not. */
  before?: number | undefined;
  candidate: Candidate;
  hit: Hit | undefined;
  workspaceId: string;
};

/** One slice that was found: what each channel made of it, and why it is left out if it is. */
export function CandidateCard({ rank, before, candidate, hit, workspaceId }: Props) {
  const text = useText(testText);
  const cuts: Readonly<Record<string, string>> = text.cuts;
  const place = hit && [hit.page > 0 && text.page(hit.page), hit.row > 0 && text.row(hit.row)];
  return (
    <article className={classes(styles.card, candidate.cut && styles.cut)}>
      <header className={styles.head}>
        {rank !== undefined && <span className={styles.rank}>{rank}</span>}
        {candidate.document_id && (
          <Link
            to="/w/$workspaceId/knowledge/$baseId/documents/$documentId"
            params={{
              workspaceId,
              baseId: candidate.dataset_id,
              documentId: candidate.document_id,
            }}
            search={{ slice: candidate.slice_id }}
            className={styles.document}
          >
            {hit?.document_name ?? candidate.document_id}
          </Link>
        )}
        {place && <span className={styles.place}>{place.filter(Boolean).join(" · ")}</span>}
        {candidate.cut && (
          <span className={styles.why}>{cuts[candidate.cut] ?? candidate.cut}</span>
        )}
        {before !== undefined && before !== rank && (
          <span className={styles.moved}>{before > 0 ? text.moved(before) : text.isNew}</span>
        )}
        <span className={styles.score} title={text.score}>
          {candidate.score.toFixed(3)}
        </span>
      </header>
      <p className={styles.text}>{hit?.content ?? candidate.content}</p>
      <ScoreBars scores={scoresOf(candidate, text)} />
      {candidate.sql && <pre className={styles.sql}>{candidate.sql}</pre>}
    </article>
  );
}

/** What each channel that found it made of it. */
function scoresOf(candidate: Candidate, text: Text): readonly Score[] {
  const ranks = {
    embedding: candidate.embedding_rank,
    full_text: candidate.full_text_rank,
    sql: candidate.sql_rank,
    rerank: candidate.rerank_rank,
  };
  return CHANNELS.filter((channel) => ranks[channel] > 0).map((channel) => ({
    key: channel,
    name: text.channels[channel],
    value: candidate.scores[channel],
    place: text.rank(ranks[channel]),
  }));
}
