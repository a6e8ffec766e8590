import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Bot, GitCompareArrows, MessagesSquare, RotateCcw, Workflow } from "lucide-react";
import { useState } from "react";
import { asApiError } from "../../api/queries";
import { useText } from "../../text/catalogue";
import { traceBodyText } from "../../trace/body-text";
import type { Span } from "../../trace/layout";
import { type Summary, traceQuery } from "../../trace/queries";
import { RunState } from "../../trace/run-state";
import { TraceBody } from "../../trace/trace-body";
import { Banner } from "../../ui/banner/banner";
import { Button } from "../../ui/button/button";
import header from "../../ui/page/header-link.module.css";
import { Page } from "../../ui/page/page";
import { LiveTrace } from "./live-trace";
import { ReplayDialog } from "./replay-dialog";
import { TraceMenu } from "./trace-menu";

const page = getRouteApi("/shell/w/$workspaceId/runs/$runId");

/** One run: while it goes on its steps alone, then all that is known of them. */
export function TraceScreen() {
  const { workspaceId, runId } = page.useParams();
  const { data, error, isPlaceholderData } = useQuery(traceQuery(runId));
  if (data && !isPlaceholderData) return <StoredTrace trace={data.trace} spans={data.spans} />;
  if (!error) return <Page title="">{null}</Page>;
  if (asApiError(error)?.status !== 404) throw error;
  return <LiveTrace key={runId} workspaceId={workspaceId} runId={runId} />;
}

function StoredTrace({ trace, spans }: { trace: Summary; spans: readonly Span[] }) {
  const text = useText(traceBodyText);
  const { workspaceId } = page.useParams();
  const look = page.useSearch();
  const navigate = page.useNavigate();
  const [isReplaying, setReplaying] = useState(false);
  const original = look.of;
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
              className={header.open}
            >
              <Bot size={16} />
              <span>{text.openAgent}</span>
            </Link>
          )}
          {chat && trace.source !== "playground" && (
            <Link
              to="/w/$workspaceId/conversations/$conversationId"
              params={{ workspaceId, conversationId: chat }}
              aria-label={text.openConversation}
              className={header.open}
            >
              <MessagesSquare size={16} />
              <span>{text.openConversation}</span>
            </Link>
          )}
          {workflowId && !agentId && (
            <Link
              to="/w/$workspaceId/workflows/$workflowId"
              params={{ workspaceId, workflowId }}
              search={{ run: trace.run_id }}
              aria-label={text.openWorkflow}
              className={header.open}
            >
              <Workflow size={16} />
              <span>{text.openWorkflow}</span>
            </Link>
          )}
          {original && (
            <Link
              to="/w/$workspaceId/runs/compare"
              params={{ workspaceId }}
              search={{ a: original, b: trace.run_id }}
              aria-label={text.compareWith}
              className={header.open}
            >
              <GitCompareArrows size={16} />
              <span>{text.compareWith}</span>
            </Link>
          )}
          {trace.status !== "interrupted" && (
            <Button icon={<RotateCcw size={16} />} onClick={() => setReplaying(true)}>
              {text.replayVerb}
            </Button>
          )}
          <TraceMenu trace={trace} />
        </>
      }
    >
      {trace.is_rebuilt && <Banner tone="warn">{text.rebuilt}</Banner>}
      <TraceBody
        key={trace.run_id}
        trace={trace}
        spans={spans}
        look={look}
        onLook={(next) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true })}
      />
      {isReplaying && (
        <ReplayDialog
          trace={trace}
          span={spans.find((each) => each.id === look.span)}
          onClose={() => setReplaying(false)}
        />
      )}
    </Page>
  );
}
