import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { failureOf } from "../../api/list";
import { loadCanvas } from "../../canvas/saving";
import { CanvasEditor } from "../../canvas/view/editor";
import { may, useWorkspace } from "../../session/session";
import { ErrorState } from "../../ui/error-state/error-state";
import { Page, PageBody } from "../../ui/page/page";
import { WorkflowMenu } from "./workflow-menu";

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
  const { workspaceId, workflowId } = page.useParams();
  const search = page.useSearch();
  const workspace = useWorkspace(workspaceId);
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
  const { workflow, text } = query.data;
  const canWrite = may(workspace, "workflow.write");
  return (
    <CanvasEditor
      key={workflowId}
      workflow={workflow}
      workspaceName={workspace?.name ?? ""}
      text={text}
      canWrite={canWrite}
      canRun={canWrite || may(workspace, "workflow.run")}
      canPublish={canWrite}
      nodeId={search.node ?? ""}
      runId={search.run ?? ""}
      menu={<WorkflowMenu workflow={workflow} />}
    />
  );
}
