import { Check, Copy, Info, RotateCcw, ThumbsDown, ThumbsUp } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useText } from "../text/catalogue";
import { formatDuration } from "../text/formats";
import { Button } from "../ui/button/button";
import { IconButton } from "../ui/button/icon-button";
import { Menu, MenuItem } from "../ui/menu/menu";
import type { AnswerProps } from "./answer";
import styles from "./answer.module.css";
import type { Verdict } from "./client";
import { chatText } from "./text";
import { textOf } from "./turn";

const FeedbackForm = lazy(async () => ({
  default: (await import("./feedback-form")).FeedbackForm,
}));

/** How long it took and what it cost in tokens, and what can be done with the answer. */
export function Foot({ turn, isLast, isOlder, measured, audience, offers, actions }: AnswerProps) {
  const text = useText(chatText);
  const { runId } = turn;
  const [asks, setAsks] = useState<"no" | "why" | "told">("no");
  function rate(value: Verdict): void {
    const next = turn.verdict === value ? undefined : value;
    actions.onRate(turn, next);
    setAsks(next === "unlike" ? "why" : "no");
  }
  return (
    <>
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
        {audience === "builder" && <MeterLine turn={turn} measured={measured} />}
        <span className={styles.tools}>
          {turn.answerId && (
            <>
              <CopyMenu markdown={textOf(turn)} />
              {offers.rate && (
                <>
                  <Thumb
                    label={text.like}
                    Sign={ThumbsUp}
                    isChosen={turn.verdict === "like"}
                    onClick={() => rate("like")}
                  />
                  <Thumb
                    label={text.unlike}
                    Sign={ThumbsDown}
                    isChosen={turn.verdict === "unlike"}
                    onClick={() => rate("unlike")}
                  />
                </>
              )}
            </>
          )}
          {offers.again && isLast && runId && !isOlder && (
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
      {asks === "why" && (
        <Suspense fallback={null}>
          <FeedbackForm
            onClose={() => setAsks("no")}
            onSend={(why) => {
              setAsks("told");
              actions.onRate(turn, "unlike", why);
            }}
          />
        </Suspense>
      )}
      {asks === "told" && (
        <p role="status" className={styles.note}>
          {text.thanks}
        </p>
      )}
    </>
  );
}

type ThumbProps = {
  label: string;
  Sign: typeof ThumbsUp;
  isChosen: boolean;
  onClick: () => void;
};

function Thumb({ label, Sign, isChosen, onClick }: ThumbProps) {
  return (
    <IconButton
      size="compact"
      label={label}
      aria-pressed={isChosen}
      icon={<Sign size={14} fill={isChosen ? "currentColor" : "none"} />}
      onClick={onClick}
    />
  );
}

const SHOWN_MS = 1500;

/** Puts an answer on the clipboard, as it was written or as it reads. */
function CopyMenu({ markdown }: { markdown: string }) {
  const text = useText(chatText);
  const place = useRef<HTMLSpanElement>(null);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(setCopied, SHOWN_MS, false);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (value: string) => navigator.clipboard.writeText(value).then(() => setCopied(true));
  async function copyText(): Promise<void> {
    const { saidIn } = await import("./plain");
    await copy(saidIn(place.current?.closest("article")) || markdown);
  }
  return (
    <span ref={place}>
      <Menu
        trigger={
          <IconButton
            size="compact"
            label={isCopied ? text.copied : text.copy}
            icon={isCopied ? <Check size={14} /> : <Copy size={14} />}
          />
        }
      >
        <MenuItem onSelect={() => void copyText()}>{text.copyText}</MenuItem>
        <MenuItem onSelect={() => void copy(markdown)}>{text.copyMarkdown}</MenuItem>
      </Menu>
    </span>
  );
}

function MeterLine({ turn, measured }: Pick<AnswerProps, "turn" | "measured">) {
  const text = useText(chatText);
  const { meter } = turn;
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
  if (parts.length === 0) return null;
  return <span className={styles.meter}>{text.meter(parts)}</span>;
}
