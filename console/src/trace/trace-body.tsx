import { Link } from "@tanstack/react-router";
import { CircleX } from "lucide-react";
import { useMemo, useState } from "react";
import { useMemberNames } from "../api/members";
import { useText } from "../text/catalogue";
import { formatDuration, formatExact, formatNumber } from "../text/formats";
import { Button } from "../ui/button/button";
import { ServerWords } from "../ui/error-state/server-words";
import { Splitter } from "../ui/splitter/splitter";
import { Tabs } from "../ui/tabs/tabs";
import { useWidth } from "../ui/use-width";
import { traceBodyText } from "./body-text";
import { Details } from "./details";
import { formatPoints } from "./figures";
import { causeOf, type Span, treeOf } from "./layout";
import { type Summary, useWithheld } from "./queries";
import { traceText } from "./text";
import styles from "./trace-body.module.css";
import { versionName } from "./version";
import { Waterfall } from "./waterfall";

const TWO_PANES_PX = 700;
const FIRST_SHARES = [56, 44];

/** What is looked at of a run: a step, and a side of it. */
export type Look = { span?: string | undefined; pane?: string | undefined };

type Props = {
  trace: Summary;
  spans: readonly Span[];
  look: Look;
  onLook: (look: Look) => void;
};

/** A run step by step, beside all that is known of the one that is looked at. */
export function TraceBody({ trace, spans, look, onLook }: Props) {
  const text = useText(traceBodyText);
  const [frame, width] = useWidth();
  const [shares, setShares] = useState<readonly number[]>(FIRST_SHARES);
  const [tab, setTab] = useState<"steps" | "details">("steps");
  const isWithheld = trace.capture !== "content" || spans.every((each) => each.input === null);
  const withheld = useWithheld(trace, isWithheld);
  const cause = useMemo(
    () => (trace.status === "failed" ? causeOf(treeOf(spans)) : undefined),
    [trace.status, spans],
  );
  const span = spans.find((each) => each.id === look.span) ?? cause ?? spans[0];
  function choose(id: string): void {
    onLook({ ...look, span: id });
  }
  function showPrompt(id: string): void {
    onLook({ ...look, span: id, pane: "input" });
    setTab("details");
  }
  const steps = (
    <Waterfall spans={spans} chosenId={span?.id} onChoose={choose} onPrompt={showPrompt} />
  );
  const details = span && (
    <Details
      trace={trace}
      spans={spans}
      span={span}
      withheld={withheld}
      pane={look.pane}
      onPane={(pane) => onLook({ ...look, pane })}
    />
  );
  const [left = 56, right = 44] = shares;
  return (
    <>
      <TopLine trace={trace} />
      {(trace.status === "failed" || trace.error) && (
        <div className={styles.failure}>
          <CircleX size={16} />
          <p>
            <b>{text.failed}</b> <ServerWords message={trace.error} />
          </p>
          {cause && cause.id !== span?.id && (
            <Button
              size="compact"
              onClick={() => {
                choose(cause.id);
                setTab("details");
              }}
            >
              {text.showCause}
            </Button>
          )}
        </div>
      )}
      <div ref={frame} className={styles.frame}>
        {width >= TWO_PANES_PX ? (
          <Splitter
            panes={[
              { key: "steps", label: text.steps, share: left, least: 30, content: steps },
              { key: "details", label: text.details, share: right, least: 25, content: details },
            ]}
            onChange={setShares}
            onReset={() => setShares(FIRST_SHARES)}
          />
        ) : (
          width > 0 && (
            <Tabs
              label={text.waterfall}
              value={tab}
              isFilling
              isOfPage
              tabs={[
                { value: "steps", label: text.steps },
                { value: "details", label: text.details },
              ]}
              onChange={setTab}
            >
              {tab === "steps" ? steps : details}
            </Tabs>
          )
        )}
      </div>
    </>
  );
}

/** What a list shows of the run, and who and what it belongs to. */
function TopLine({ trace }: { trace: Summary }) {
  const text = useText(traceBodyText);
  const words = useText(traceText);
  const userOf = useMemberNames(trace.workspace_id);
  const { workspace_id: workspaceId, conversation_id: conversation } = trace;
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    [text.started, <time key="time">{formatExact(trace.started_at)}</time>],
    [text.took, formatDuration(trace.duration_us / 1000)],
    ...(typeof trace.first_token_ms === "number"
      ? [[text.firstToken, formatDuration(trace.first_token_ms)] as const]
      : []),
    [
      text.tokens,
      <span key="tokens" title={words.tokens(trace.input_tokens, trace.output_tokens)}>
        {formatNumber(trace.input_tokens + trace.output_tokens)}
      </span>,
    ],
    ...(Number(trace.cost) > 0 ? [[text.cost, formatPoints(trace.cost)] as const] : []),
    [text.version, versionName(trace.version, words)],
    [text.source, words.sources[trace.source] ?? trace.source],
    ...(trace.end_user_id
      ? [
          [
            text.user,
            <Link
              key="user"
              to="/w/$workspaceId/runs"
              params={{ workspaceId }}
              search={{ user: trace.end_user_id }}
            >
              {userOf(trace.end_user_id) || trace.end_user_id}
            </Link>,
          ] as const,
        ]
      : []),
    ...(conversation
      ? [
          [
            text.conversation,
            <Link
              key="conversation"
              to="/w/$workspaceId/runs"
              params={{ workspaceId }}
              search={{ conversation }}
            >
              {conversation}
            </Link>,
          ] as const,
        ]
      : []),
    ...(trace.tags.length > 0
      ? [
          [
            text.tags,
            <span key="tags" className={styles.tags}>
              {trace.tags.map((tag) => (
                <Link
                  key={tag}
                  to="/w/$workspaceId/runs"
                  params={{ workspaceId }}
                  search={{ tag }}
                  className={styles.tag}
                >
                  {tag}
                </Link>
              ))}
            </span>,
          ] as const,
        ]
      : []),
    [text.runId, trace.run_id],
  ];
  return (
    <dl className={styles.line}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
