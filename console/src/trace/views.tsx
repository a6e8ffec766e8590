import { Link } from "@tanstack/react-router";
import { useText } from "../text/catalogue";
import { type Score, ScoreBars } from "../ui/score-bars/score-bars";
import { traceBodyText } from "./body-text";
import type { Text } from "./body-text.en";
import { ranksOf, type Span } from "./layout";
import styles from "./panes.module.css";
import { fieldsOf, listOf, parsed, textOf } from "./prompt";
import { Value } from "./value";

type Props = { spans: readonly Span[]; span: Span; output: string; workspaceId: string };

/** What came of a step, each kind in its own way. */
export function OutputPane(props: Props) {
  const text = useText(traceBodyText);
  const told = parsed(props.output);
  const reply = props.span.kind === "model" ? fieldsOf(told) : undefined;
  if (reply) return <Reply reply={reply} />;
  const found = props.span.kind === "retrieval" ? listOf(told) : undefined;
  if (found)
    return (
      <Found
        slices={found}
        ranks={ranksOf(props.spans, props.span)}
        workspaceId={props.workspaceId}
      />
    );
  return <Value label={text.panes.output} value={props.output} />;
}

/** What a model answered: its thoughts, its words, what it calls. */
function Reply({ reply }: { reply: Readonly<Record<string, unknown>> }) {
  const text = useText(traceBodyText);
  const said = textOf(reply["text"]);
  const thoughts = textOf(reply["reasoning"]);
  const calls = listOf(reply["tool_calls"]) ?? [];
  return (
    <>
      {thoughts && (
        <details className={styles.folded}>
          <summary>{text.thoughts}</summary>
          <p className={styles.said}>{thoughts}</p>
        </details>
      )}
      {said && <pre className={styles.text}>{said}</pre>}
      {calls.map((call, index) => {
        const fields = fieldsOf(call);
        const label = text.calls(textOf(fields?.["name"]));
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls stand in the order they were made
          <div key={index} className={styles.piece}>
            <span className={styles.of}>{label}</span>
            <Value label={label} value={fields?.["arguments"]} />
          </div>
        );
      })}
    </>
  );
}

type FoundProps = {
  slices: readonly unknown[];
  ranks: ReturnType<typeof ranksOf>;
  workspaceId: string;
};

/** Slices with what each channel made of them, each leading to its place. */
function Found({ slices, ranks, workspaceId }: FoundProps) {
  const text = useText(traceBodyText);
  return (
    <>
      <p className={styles.of}>{text.found(slices.length)}</p>
      <ol className={styles.cards}>
        {slices.map((slice, index) => {
          const fields = fieldsOf(slice) ?? {};
          const baseId = textOf(fields["dataset_id"]);
          const documentId = textOf(fields["document_id"]);
          const name = textOf(fields["document_name"]) || documentId;
          const { score } = fields;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: slices stand in the order of their rank
            <li key={index} className={styles.card}>
              <span className={styles.cardHead}>
                {baseId && documentId ? (
                  <Link
                    to="/w/$workspaceId/knowledge/$baseId/documents/$documentId"
                    params={{ workspaceId, baseId, documentId }}
                    search={{ slice: textOf(fields["slice_id"]) }}
                    className={styles.link}
                  >
                    {name}
                  </Link>
                ) : (
                  <b>{name || index + 1}</b>
                )}
                {typeof score === "number" && (
                  <span className={styles.of}>{text.score(score.toFixed(3))}</span>
                )}
              </span>
              <p className={styles.said}>
                {textOf(fields["content"]) || textOf(fields["text"]) || JSON.stringify(slice)}
              </p>
              <ScoreBars
                scores={scoresOf(fields["scores"], ranks.get(textOf(fields["slice_id"])), text)}
              />
            </li>
          );
        })}
      </ol>
    </>
  );
}

const CHANNELS = ["embedding", "full_text", "rerank"] as const;

/** What the channels that found a slice made of it. */
function scoresOf(
  told: unknown,
  ranks: ReadonlyMap<string, number> | undefined,
  text: Text,
): readonly Score[] {
  const scores = fieldsOf(told) ?? {};
  return CHANNELS.flatMap((channel) => {
    const value = scores[channel];
    const rank = ranks?.get(channel);
    if (typeof value !== "number" && rank === undefined) return [];
    return {
      key: channel,
      name: text.channels[channel],
      value: typeof value === "number" ? value : undefined,
      place: rank === undefined ? "" : text.rank(rank),
    };
  });
}
