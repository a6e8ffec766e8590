import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot, Workflow } from "lucide-react";
import { client, unwrap } from "../../api/client";
import type { AdminWorkflow } from "../../api/schema";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { parse } from "../document/parse";
import { at, items, textOf } from "../document/read";
import rows from "../forms/rows.module.css";
import { type Graph, graphOf } from "../model/graph";
import { driftOf, interfaceOf } from "../model/interface";
import { SUB_WORKFLOW } from "../model/kind";
import { loadCanvas } from "../saving";
import { useCanvas } from "../store";
import { canvasText } from "../text";

/** Of more callers nobody reads what each would have to change. */
const LOOKED_INTO = 20;

/** The workflows that call one, from their draft or from what they published, and agents that have it. */
export function useCallers({ id, workspace_id: workspaceId }: AdminWorkflow) {
  const workflows = useQuery({
    queryKey: ["admin.workflows.list_references", id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workflows/{workflow_id}/references", {
          params: { path: { workflow_id: id } },
          signal,
        }),
      ),
    staleTime: 0,
  });
  const agents = useQuery({
    queryKey: ["admin.agents.list", workspaceId, "using workflow", id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
          params: {
            path: { workspace_id: workspaceId },
            query: { workflow_id: id, limit: "100" },
          },
          signal,
        }),
      ),
    staleTime: 0,
    enabled: may(useWorkspace(workspaceId), "bot.read"),
  });
  return {
    isKnown: workflows.data !== undefined && !agents.isLoading,
    error: workflows.error ?? agents.error,
    workflows: workflows.data?.items ?? [],
    agents: agents.data?.items ?? [],
  };
}

/** Who uses a workflow, each with a way there and, of workflows, what they would have to change. */
export function Callers({ workflow }: { workflow: AdminWorkflow }) {
  const text = useText(canvasText).callers;
  const { workflows, agents } = useCallers(workflow);
  const graph = useCanvas((state) => graphOf(state.root));
  const ids = [...new Set(workflows.map((each) => each.workflow_id))];
  const looked = useQueries({
    queries: ids.slice(0, LOOKED_INTO).map((id) => ({
      queryKey: ["canvas.calls", id, workflow.id],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        callsOf(graphOf(parse((await loadCanvas(id, "", signal)).text).value), workflow.id),
      staleTime: 0,
    })),
  });
  const { inputs } = interfaceOf(graph);
  return (
    <ul className={rows.rows}>
      {ids.map((id, index) => {
        const calls = workflows.filter((each) => each.workflow_id === id);
        const versions = [...new Set(calls.map((each) => each.version || text.draft))];
        const drift = (looked[index]?.data ?? []).flatMap((call) => driftOf(call, inputs));
        return (
          <li key={id} className={rows.user}>
            <Workflow size={14} role="img" aria-label={text.workflow} />
            <Link
              to="/w/$workspaceId/workflows/$workflowId"
              params={{ workspaceId: workflow.workspace_id, workflowId: id }}
            >
              {calls[0]?.name}
            </Link>
            <span className={rows.hint}>{versions.join(", ")}</span>
            {drift.length > 0 && (
              <span className={rows.bad}>{text.drift([...new Set(drift)].join(", "))}</span>
            )}
          </li>
        );
      })}
      {agents.map(({ id, name }) => (
        <li key={id} className={rows.user}>
          <Bot size={14} role="img" aria-label={text.agent} />
          <Link
            to="/w/$workspaceId/agents/$agentId"
            params={{ workspaceId: workflow.workspace_id, agentId: id }}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The inputs that nodes of a canvas were filled in for, of each that calls a workflow. */
function callsOf(graph: Graph, workflowId: string) {
  return [...graph.nodes.values()]
    .filter((node) => node.type === SUB_WORKFLOW)
    .map((node) => at(node.value, ["data", "inputs"]))
    .filter((inputs) => textOf(at(inputs, ["workflowId"])) === workflowId)
    .map((inputs) => items(at(inputs, ["inputDefs"])));
}
