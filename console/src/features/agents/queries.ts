import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { AdminAgentSummary } from "../../api/schema";

export type Agent = AdminAgentSummary;
export type AgentFilters = {
  q?: string | undefined;
  state?: string | undefined;
  creator?: string | undefined;
  order?: string | undefined;
};

const LIST = "admin.agents.list";

export function useAgents(workspaceId: string, { q, state, creator, order }: AgentFilters) {
  return useList<Agent>({
    key: [LIST, workspaceId, q, state, creator, order],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(state && { published: String(state === "published") }),
              ...(creator && { creator_id: creator }),
              ...(order && { order }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [LIST] });
}

export function useCreateAgent(workspaceId: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: { name: string; description: string }) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/agents", {
          params: {
            path: { workspace_id: workspaceId },
            header: { "Idempotency-Key": crypto.randomUUID() },
          },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useUpdateAgent() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ agent, ...body }: { agent: Agent; name: string; description: string }) =>
      unwrap(
        client.PATCH("/admin/v1/agents/{agent_id}", {
          params: { path: { agent_id: agent.id }, header: { "If-Match": String(agent.revision) } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useDuplicateAgent() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ agent, name }: { agent: Agent; name: string }) =>
      unwrap(
        client.POST("/admin/v1/agents/{agent_id}/duplicate", {
          params: { path: { agent_id: agent.id } },
          body: { name },
        }),
      ),
    onSuccess: refresh,
  });
}

export function useDeleteAgent() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (agent: Agent) =>
      done(
        client.DELETE("/admin/v1/agents/{agent_id}", { params: { path: { agent_id: agent.id } } }),
      ),
    onSuccess: refresh,
  });
}
