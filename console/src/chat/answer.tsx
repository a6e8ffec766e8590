import { useRef } from "react";
import { useText } from "../text/catalogue";
import { formatDuration } from "../text/formats";
import { Button } from "../ui/button/button";
import styles from "./answer.module.css";
import { withoutAnswers } from "./asked";
import type { Verdict, Why } from "./client";
import { Files } from "./files";
import { Foot } from "./foot";
import { usePart, waitingCards } from "./part";
import { SourceList } from "./sources";
import { unlisted } from "./sources-of";
import { Step } from "./steps";
import { Suggestions } from "./suggestions";
import { chatText } from "./text";
import { type Call, isOver, type Measured, sourcesOf, type Turn } from "./turn";
import { Written } from "./written";

/** Whoever builds an agent sees what an answer took; a visitor sees the answer. */
export type Audience = "builder" | "visitor";

/** What can be done with answers here. */
type Offers = { rate: boolean; again: boolean };

type AnswerActions = {
  isConsent: (call: Call) => boolean;
  onSubmit: (turn: Turn, outputs: readonly { id: string; output: string }[]) => Promise<void>;
  onAgain: () => void;
  onAsk: (text: string) => void;
  onRate: (turn: Turn, verdict: Verdict | undefined, why?: Why) => void;
  onDetails?: ((runId: string) => void) | undefined;
};

export type AnswerProps = {
  turn: Turn;
  isLast: boolean;
  showsSteps: boolean;
  /** The answer is of a state that was changed since. */
  isOlder: boolean;
  measured: Measured | undefined;
  audience: Audience;
  offers: Offers;
  actions: AnswerActions;
};

/** What came of a question: reasoning, steps, text, sources, what it waits for, how it ended. */
export function Answer(props: AnswerProps) {
  const { turn, isLast, showsSteps, audience, offers, actions } = props;
  const text = useText(chatText);
  const WaitingCards = usePart(waitingCards, isLast && turn.waiting !== undefined);
  const sources = useSame(sourcesOf(turn));
  const isBusy = !isOver(turn);
  const asked = isLast ? turn.waiting?.asked : undefined;
  const isSilent = isBusy && !turn.items.some((item) => item.kind === "text" && item.text);
  return (
    <article aria-label={text.answer} aria-busy={isBusy} className={styles.answer}>
      {turn.items.map((item) =>
        item.kind === "text" ? (
          <div key={item.id} className={styles.said}>
            {item.reasoning && (
              <Reasoning text={item.reasoning} ms={item.reasoningMs} isDone={item.text !== ""} />
            )}
            {item.text && (
              <div data-said="">
                <Written
                  text={
                    asked && item === turn.items.at(-1)
                      ? withoutAnswers(item.text, asked)
                      : unlisted(item.text, item.sources)
                  }
                  sources={sources}
                />
              </div>
            )}
            <Files files={item.files} />
            {item.isBroken && <p className={styles.note}>{text.broken}</p>}
          </div>
        ) : (
          showsSteps && <Step key={item.id} item={item} />
        ),
      )}
      {isSilent && <span className={styles.pulse} role="status" aria-label={text.thinking} />}
      {turn.waiting && isLast && WaitingCards && (
        <WaitingCards
          turn={turn}
          isConsent={actions.isConsent}
          mayEdit={audience === "builder"}
          onSubmit={(outputs) => actions.onSubmit(turn, outputs)}
          onAsk={actions.onAsk}
        />
      )}
      {sources.length > 0 && <SourceList sources={sources} />}
      <Ending
        turn={turn}
        audience={audience}
        onRetry={isLast && (offers.again || !turn.runId) ? actions.onAgain : undefined}
      />
      {isOver(turn) && <Foot {...props} />}
      {isLast && turn.followUps.length > 0 && (
        <Suggestions label={text.followUps} questions={turn.followUps} onAsk={actions.onAsk} />
      )}
    </article>
  );
}

/** The list as it was while the same is in it, so that texts with marks are not read again. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const known = useRef(list);
  const { current } = known;
  const isSame = current.length === list.length && list.every((each, at) => each === current[at]);
  if (!isSame) known.current = list;
  return known.current;
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

type EndingProps = Pick<AnswerProps, "turn" | "audience"> & { onRetry: (() => void) | undefined };

function Ending({ turn, audience, onRetry }: EndingProps) {
  const text = useText(chatText);
  if (turn.state === "canceled") return <p className={styles.note}>{text.canceled}</p>;
  if (turn.state !== "failed") return null;
  const { message = "", code = 0 } = turn.failed ?? {};
  const isTold = audience === "visitor" && message !== "";
  return (
    <div role="alert" className={styles.failure}>
      <p>{isTold ? message : [text.failed, message].filter(Boolean).join(" ")}</p>
      {audience === "builder" && code > 0 && <p className={styles.note}>{text.code(code)}</p>}
      {onRetry && (
        <Button size="compact" onClick={onRetry}>
          {text.retry}
        </Button>
      )}
    </div>
  );
}
