import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client, unwrap } from "../../api/client";
import type { AdminWorkflow } from "../../api/schema";
import { useText } from "../../text/catalogue";
import rows from "../forms/rows.module.css";
import { canvasText } from "../text";

/** The workflows that call one, from their draft or from what they published. */
export function useCallers(workflowId: string) {
  return useQuery({
    queryKey: ["admin.workflows.list_references", workflowId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workflows/{workflow_id}/references", {
          params: { path: { workflow_id: workflowId } },
          signal,
        }),
      ),
    staleTime: 0,
  });
}

/** Who calls a workflow, each with a way there. */
export function Callers({ workflow }: { workflow: AdminWorkflow }) {
  const text = useText(canvasText).callers;
  const { data } = useCallers(workflow.id);
  return (
    <ul className={rows.rows}>
      {data?.items.map(({ workflow_id: workflowId, name, source, version }) => (
        <li key={[workflowId, source, version].join("|")}>
          <Link
            to="/w/$workspaceId/workflows/$workflowId"
            params={{ workspaceId: workflow.workspace_id, workflowId }}
          >
            {name}
          </Link>{" "}
          <span className={rows.hint}>{source === "draft" ? text.draft : version}</span>
        </li>
      ))}
    </ul>
  );
}
