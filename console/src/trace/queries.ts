import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { loadAgent } from "../api/agent";
import { client, done, unwrap } from "../api/client";
import type { AdminTraceSummary } from "../api/schema";

export type Summary = AdminTraceSummary;

const TRACE = "admin.traces.get";
/** A run that waits goes on at some time; its trace grows then. */
const WAITING_MS = 4000;

export function traceQuery(runId: string) {
  return queryOptions({
    queryKey: [TRACE, runId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/traces/{run_id}", { params: { path: { run_id: runId } }, signal }),
      ),
    refetchInterval: ({ state }) =>
      state.data?.trace.status === "interrupted" ? WAITING_MS : false,
  });
}

export function usePin(runId: string) {
  const queries = useQueryClient();
  const params = { path: { run_id: runId } };
  return useMutation({
    mutationFn: async (isPinned: boolean) => {
      if (isPinned) await unwrap(client.PUT("/admin/v1/traces/{run_id}/pin", { params }));
      else await done(client.DELETE("/admin/v1/traces/{run_id}/pin", { params }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [TRACE, runId] }),
  });
}

export type Withheld = "agent" | "workflow" | "workspace" | "usual" | "request";

/** Which setting had what was said left out, as the settings are now. */
export function useWithheld(trace: Summary, isWithheld: boolean): Withheld | undefined {
  const { agent_id, workflow_id, workspace_id } = trace;
  const settings = useQuery({
    queryKey: ["admin.trace_settings.get", workspace_id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/trace-settings", {
          params: { path: { workspace_id } },
          signal,
        }),
      ),
    enabled: isWithheld,
  });
  const agent = useQuery({
    queryKey: ["admin.agents.get", agent_id],
    queryFn: ({ signal }) => loadAgent(agent_id ?? "", signal),
    enabled: isWithheld && Boolean(agent_id),
  });
  const workflow = useQuery({
    queryKey: ["admin.workflows.get", workflow_id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workflows/{workflow_id}", {
          params: { path: { workflow_id: workflow_id ?? "" } },
          signal,
        }),
      ),
    enabled: isWithheld && Boolean(workflow_id) && !agent_id,
  });
  if (!isWithheld || settings.isPending) return undefined;
  const own = agent_id ? agent.data?.trace_capture : workflow.data?.trace_capture;
  if (own) return own === "content" ? "request" : agent_id ? "agent" : "workflow";
  const here = settings.data?.capture;
  if (here) return here === "content" ? "request" : "workspace";
  return trace.version ? "usual" : "request";
}
