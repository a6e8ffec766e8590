import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Bot, CircleX, Workflow } from "lucide-react";
import { useMemo, useState } from "react";
import { useMemberNames } from "../../api/members";
import { useText } from "../../text/catalogue";
import { formatDuration, formatExact, formatNumber } from "../../text/formats";
import { formatPoints } from "../../trace/figures";
import { RunState } from "../../trace/run-state";
import { traceText } from "../../trace/text";
import { versionName } from "../../trace/version";
import { Banner } from "../../ui/banner/banner";
import { Button } from "../../ui/button/button";
import { Page } from "../../ui/page/page";
import { Splitter } from "../../ui/splitter/splitter";
import { Tabs } from "../../ui/tabs/tabs";
import { useWidth } from "../../ui/use-width";
import { Details } from "./details";
import { causeOf, type Span, treeOf } from "./layout";
import { type Summary, traceQuery, useWithheld } from "./queries";
import { traceScreenText } from "./text";
import { TraceMenu } from "./trace-menu";
import styles from "./trace-screen.module.css";
import { Waterfall } from "./waterfall";

const page = getRouteApi("/shell/w/$workspaceId/runs/$runId");
const TWO_PANES_PX = 780;
const FIRST_SHARES = [56, 44];

/** One run: every step of it, and all that is known of the one that is looked at. */
export function TraceScreen() {
  const text = useText(traceScreenText);
  const { workspaceId, runId } = page.useParams();
  const { data } = useSuspenseQuery(traceQuery(runId));
  const { trace, spans } = data;
  const { agent_id: agentId, workflow_id: workflowId, conversation_id: chat } = trace;
  return (
    <Page
      title={trace.name || trace.run_id}
      context={text.runs}
      path={
        <Link to="/w/$workspaceId/runs" params={{ workspaceId }}>
          {text.runs}
        </Link>
      }
      state={<RunState status={trace.status} />}
      actions={
        <>
          {agentId && (
            <Link
              to="/w/$workspaceId/agents/$agentId"
              params={{ workspaceId, agentId }}
              search={trace.source === "playground" && chat ? { chat } : {}}
              aria-label={text.openAgent}
              className={styles.open}
            >
              <Bot size={16} />
              <span>{text.openAgent}</span>
            </Link>
          )}
          {workflowId && !agentId && (
            <Link
              to="/w/$workspaceId/workflows/$workflowId"
              params={{ workspaceId, workflowId }}
              search={{ run: trace.run_id }}
              aria-label={text.openWorkflow}
              className={styles.open}
            >
              <Workflow size={16} />
              <span>{text.openWorkflow}</span>
            </Link>
          )}
          <TraceMenu trace={trace} />
        </>
      }
    >
      {trace.is_rebuilt && <Banner tone="warn">{text.rebuilt}</Banner>}
      <Body key={trace.run_id} trace={trace} spans={spans} />
    </Page>
  );
}

function Body({ trace, spans }: { trace: Summary; spans: readonly Span[] }) {
  const text = useText(traceScreenText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const [frame, width] = useWidth();
  const [shares, setShares] = useState<readonly number[]>(FIRST_SHARES);
  const [tab, setTab] = useState<"steps" | "details">("steps");
  const isWithheld = trace.capture !== "content" || spans.every((each) => each.input === null);
  const withheld = useWithheld(trace, isWithheld);
  const cause = useMemo(
    () => (trace.status === "failed" ? causeOf(treeOf(spans)) : undefined),
    [trace.status, spans],
  );
  const span = spans.find((each) => each.id === search.span) ?? cause ?? spans[0];
  function choose(id: string): void {
    void navigate({ search: (old) => ({ ...old, span: id }), replace: true });
  }
  const steps = <Waterfall spans={spans} chosenId={span?.id} onChoose={choose} />;
  const details = span && (
    <Details
      trace={trace}
      spans={spans}
      span={span}
      withheld={withheld}
      pane={search.pane}
      onPane={(pane) => void navigate({ search: (old) => ({ ...old, pane }), replace: true })}
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
            <b>{text.failed}</b> {trace.error}
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
  const text = useText(traceScreenText);
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
