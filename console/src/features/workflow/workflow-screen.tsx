import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useEffect, useRef } from "react";
import { failureOf } from "../../api/list";
import type { AdminWorkflow } from "../../api/schema";
import { type Changes, loadCanvas } from "../../canvas/saving";
import { CanvasEditor } from "../../canvas/view/editor";
import { listenToChanges } from "../../presence/changes";
import { may, useWorkspace } from "../../session/session";
import { ErrorState } from "../../ui/error-state/error-state";
import { Page, PageBody } from "../../ui/page/page";
import type { Talk } from "./flow-chat";
import { CHAT_FLOW } from "./mode";
import { WorkflowMenu } from "./workflow-menu";

const FlowChat = lazy(() => import("./flow-chat"));
const PresentPeople = lazy(() => import("../../presence/present-people"));
const page = getRouteApi("/shell/w/$workspaceId/workflows/$workflowId");

/** The canvas of a workflow; of a version where the address names one. */
export function WorkflowScreen() {
  const { workspaceId, workflowId } = page.useParams();
  const { v, run } = page.useSearch();
  if (!v) return <Draft key={workflowId} />;
  const search = { b: v, ...(run !== undefined && { run }) };
  return (
    <Navigate
      to="/w/$workspaceId/workflows/$workflowId/versions"
      params={{ workspaceId, workflowId }}
      search={search}
      replace
    />
  );
}

function Draft() {
  const { workflowId } = page.useParams();
  const query = useQuery({
    queryKey: ["admin.workflows.canvas", workflowId],
    queryFn: ({ signal }) => loadCanvas(workflowId, "", signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchOnMount: "always",
  });
  const failure = failureOf(query.error);
  if (failure) {
    return (
      <Page title="">
        <PageBody>
          <ErrorState failure={failure} onRetry={() => void query.refetch()} />
        </PageBody>
      </Page>
    );
  }
  if (!query.data || query.isPlaceholderData) return <Page title="">{null}</Page>;
  return <Desk key={workflowId} workflow={query.data.workflow} text={query.data.text} />;
}

/** The canvas, and the conversation in which a chat flow is tried. */
function Desk({ workflow, text }: { workflow: AdminWorkflow; text: string }) {
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const workspace = useWorkspace(workspaceId);
  const canWrite = may(workspace, "workflow.write");
  const talk = useRef<Talk>(undefined);
  useEffect(() => () => talk.current?.session.leave(), []);
  const changes = useCallback<Changes>(
    (hear) => listenToChanges("workflow", workflow.id, hear),
    [workflow.id],
  );
  return (
    <CanvasEditor
      workflow={workflow}
      workspaceName={workspace?.name ?? ""}
      text={text}
      canWrite={canWrite}
      canRun={canWrite || may(workspace, "workflow.run")}
      canPublish={canWrite}
      nodeId={search.node ?? ""}
      runId={search.run ?? ""}
      present={
        <Suspense>
          <PresentPeople workspaceId={workspaceId} type="workflow" id={workflow.id} />
        </Suspense>
      }
      changes={changes}
      menu={(now) => <WorkflowMenu workflow={now} />}
      chat={
        workflow.mode === CHAT_FLOW
          ? (parts) => (
              <Suspense fallback={null}>
                <FlowChat workflow={workflow} held={talk} parts={parts} />
              </Suspense>
            )
          : undefined
      }
    />
  );
}
