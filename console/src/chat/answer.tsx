import { Copy, Info, RotateCcw, ThumbsDown, ThumbsUp } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useText } from "../text/catalogue";
import { formatDuration } from "../text/formats";
import { Button } from "../ui/button/button";
import { IconButton } from "../ui/button/icon-button";
import styles from "./answer.module.css";
import { MarkdownText } from "./markdown/markdown";
import { SourceList, SourceMark } from "./sources";
import { Step } from "./steps";
import { chatText } from "./text";
import { type Call, isOver, type Measured, sourcesOf, type Turn, textOf } from "./turn";
import { WaitingCards } from "./waiting";

type AnswerActions = {
  isConsent: (call: Call) => boolean;
  onSubmit: (turn: Turn, outputs: readonly { id: string; output: string }[]) => Promise<void>;
  onAgain: () => void;
  onAsk: (text: string) => void;
  onRate: (turn: Turn, verdict: "like" | "unlike" | undefined) => void;
  onDetails?: ((runId: string) => void) | undefined;
};

type Props = {
  turn: Turn;
  isLast: boolean;
  showsSteps: boolean;
  /** The answer is of a state that was changed since. */
  isOlder: boolean;
  measured: Measured | undefined;
  actions: AnswerActions;
};

/** What came of a question: reasoning, steps, text, sources, what it waits for, how it ended. */
export function Answer({ turn, isLast, showsSteps, isOlder, measured, actions }: Props) {
  const text = useText(chatText);
  const sources = useMemo(() => sourcesOf(turn), [turn]);
  const known = useMemo(() => new Map(sources.map((source) => [source.n, source])), [sources]);
  const mark = useCallback(
    (n: number) => {
      const source = known.get(n);
      return source && <SourceMark source={source} />;
    },
    [known],
  );
  const isBusy = !isOver(turn);
  const isSilent = isBusy && !turn.items.some((item) => item.kind === "text" && item.text);
  return (
    <article aria-label={text.answer} aria-busy={isBusy} className={styles.answer}>
      {turn.items.map((item) =>
        item.kind === "text" ? (
          <div key={item.id} className={styles.said}>
            {item.reasoning && (
              <Reasoning text={item.reasoning} ms={item.reasoningMs} isDone={item.text !== ""} />
            )}
            {item.text && <MarkdownText text={item.text} mark={mark} />}
          </div>
        ) : (
          showsSteps && <Step key={item.id} item={item} />
        ),
      )}
      {isSilent && <span className={styles.pulse} role="status" aria-label={text.thinking} />}
      {turn.waiting && (
        <WaitingCards
          turn={turn}
          isConsent={actions.isConsent}
          onSubmit={(outputs) => actions.onSubmit(turn, outputs)}
        />
      )}
      {sources.length > 0 && <SourceList sources={sources} />}
      <Ending turn={turn} onRetry={isLast ? actions.onAgain : undefined} />
      {isOver(turn) && (
        <Foot turn={turn} isLast={isLast} isOlder={isOlder} measured={measured} actions={actions} />
      )}
      {isLast && turn.followUps.length > 0 && (
        <ul aria-label={text.followUps} className={styles.followUps}>
          {turn.followUps.map((question) => (
            <li key={question}>
              <button
                type="button"
                className={styles.suggestion}
                onClick={() => actions.onAsk(question)}
              >
                {question}
              </button>
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

type ReasoningProps = { text: string; ms: number | undefined; isDone: boolean };

function Reasoning({ text: thoughts, ms, isDone }: ReasoningProps) {
  const text = useText(chatText);
  const label = ms === undefined ? text.thoughts : text.thought(formatDuration(ms));
  return (
    <details className={styles.reasoning}>
      <summary>{isDone ? label : text.thinking}</summary>
      <p>{thoughts}</p>
    </details>
  );
}

function Ending({ turn, onRetry }: { turn: Turn; onRetry: (() => void) | undefined }) {
  const text = useText(chatText);
  if (turn.state === "canceled") return <p className={styles.note}>{text.canceled}</p>;
  if (turn.state !== "failed") return null;
  return (
    <div role="alert" className={styles.failure}>
      <p>
        <b>{text.failed}</b> {turn.failed?.message}
      </p>
      {turn.failed && turn.failed.code > 0 && (
        <p className={styles.note}>{text.code(turn.failed.code)}</p>
      )}
      {onRetry && turn.runId && (
        <Button size="compact" onClick={onRetry}>
          {text.retry}
        </Button>
      )}
    </div>
  );
}

type FootProps = Omit<Props, "showsSteps">;

/** How long it took and what it cost in tokens, and what can be done with the answer. */
function Foot({ turn, isLast, isOlder, measured, actions }: FootProps) {
  const text = useText(chatText);
  const { meter, runId } = turn;
  const firstMs = meter.firstTokenMs ?? measured?.firstTokenMs;
  const totalMs = meter.endedMs ?? measured?.totalMs;
  const steps = meter.steps || (measured?.steps ?? 0);
  const told = meter.input + meter.output > 0 ? meter : (measured ?? meter);
  const parts = [
    firstMs !== undefined && text.firstToken(formatDuration(firstMs)),
    totalMs !== undefined && text.total(formatDuration(totalMs)),
    steps > 1 && text.steps(steps),
    told.input + told.output > 0 && text.tokens(told.input, told.output),
    told.cached > 0 && text.cached(told.cached),
    measured?.cost !== undefined && text.cost(measured.cost),
  ].filter((part) => part !== false);
  const verdict = (value: "like" | "unlike") =>
    actions.onRate(turn, turn.verdict === value ? undefined : value);
  return (
    <div className={styles.foot}>
      {isOlder && (
        <span className={styles.older}>
          {text.older}
          {isLast && runId && (
            <Button size="compact" onClick={actions.onAgain}>
              {text.askAgain}
            </Button>
          )}
        </span>
      )}
      {parts.length > 0 && <span className={styles.meter}>{text.meter(parts)}</span>}
      <span className={styles.tools}>
        {turn.answerId && (
          <>
            <IconButton
              size="compact"
              label={text.copy}
              icon={<Copy size={14} />}
              onClick={() => void navigator.clipboard.writeText(textOf(turn))}
            />
            <IconButton
              size="compact"
              label={text.like}
              aria-pressed={turn.verdict === "like"}
              icon={<ThumbsUp size={14} fill={turn.verdict === "like" ? "currentColor" : "none"} />}
              onClick={() => verdict("like")}
            />
            <IconButton
              size="compact"
              label={text.unlike}
              aria-pressed={turn.verdict === "unlike"}
              icon={
                <ThumbsDown size={14} fill={turn.verdict === "unlike" ? "currentColor" : "none"} />
              }
              onClick={() => verdict("unlike")}
            />
          </>
        )}
        {isLast && runId && !isOlder && (
          <IconButton
            size="compact"
            label={text.again}
            icon={<RotateCcw size={14} />}
            onClick={actions.onAgain}
          />
        )}
        {runId && actions.onDetails && (
          <Button
            size="compact"
            kind="quiet"
            icon={<Info size={14} />}
            onClick={() => actions.onDetails?.(runId)}
          >
            {text.details}
          </Button>
        )}
      </span>
    </div>
  );
}
