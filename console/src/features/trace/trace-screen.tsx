import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Bot, Workflow } from "lucide-react";
import { useText } from "../../text/catalogue";
import { traceBodyText } from "../../trace/body-text";
import { traceQuery } from "../../trace/queries";
import { RunState } from "../../trace/run-state";
import { TraceBody } from "../../trace/trace-body";
import { Banner } from "../../ui/banner/banner";
import { Page } from "../../ui/page/page";
import { TraceMenu } from "./trace-menu";
import styles from "./trace-screen.module.css";

const page = getRouteApi("/shell/w/$workspaceId/runs/$runId");

/** One run: every step of it, and all that is known of the one that is looked at. */
export function TraceScreen() {
  const text = useText(traceBodyText);
  const { workspaceId, runId } = page.useParams();
  const look = page.useSearch();
  const navigate = page.useNavigate();
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
      <TraceBody
        key={trace.run_id}
        trace={trace}
        spans={spans}
        look={look}
        onLook={(next) => void navigate({ search: (old) => ({ ...old, ...next }), replace: true })}
      />
    </Page>
  );
}
