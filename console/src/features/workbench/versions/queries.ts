import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { loadAgent } from "../../../api/agent";
import { client, unwrap } from "../../../api/client";
import { PAGE_ROWS } from "../../../api/queries";
import type { AdminAgent } from "../../../api/schema";
import { agentQuery, findTools, findWorkflows } from "../queries";
import type { Names } from "./comparison";

/** What the address says for the draft. */
export const DRAFT = "draft";

export function useVersions(agentId: string) {
  return useQuery({
    queryKey: ["admin.agents.list_versions", agentId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/agents/{agent_id}/versions", {
          params: { path: { agent_id: agentId }, query: { limit: String(PAGE_ROWS) } },
          signal,
        }),
      ),
  });
}

/** Channels that answer with a version, by its label. */
export function useServing(agentId: string): ReadonlyMap<string, readonly string[]> {
  const { data } = useQuery({
    queryKey: ["admin.agents.list_connectors", agentId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/agents/{agent_id}/connectors", {
          params: { path: { agent_id: agentId } },
          signal,
        }),
      ),
  });
  const serving = new Map<string, string[]>();
  for (const { bound, version, name } of data?.items ?? [])
    if (bound) serving.set(version, [...(serving.get(version) ?? []), name]);
  return serving;
}

/** The draft, or what a version froze. */
export function useContent(agentId: string, version: string | undefined) {
  return useQuery({
    queryKey: ["agent.content", agentId, version],
    queryFn: async ({ signal }): Promise<AdminAgent> => {
      if (version === DRAFT) return await loadAgent(agentId);
      const path = { agent_id: agentId, version: version ?? "" };
      const found = await unwrap(
        client.GET("/admin/v1/agents/{agent_id}/versions/{version}", { params: { path }, signal }),
      );
      return found.agent;
    },
    enabled: Boolean(version),
    staleTime: version === DRAFT ? 0 : Number.POSITIVE_INFINITY,
  });
}

/** Names of the tools, workflows and shortcuts of an agent; what is not among the first is its id. */
export function useNames(workspaceId: string, agentId: string): Names {
  const { data } = useQuery({
    queryKey: ["versions.names", agentId],
    queryFn: async ({ signal }) => {
      const path = { agent_id: agentId };
      const [tools, flows, shortcuts] = await Promise.all([
        findTools(workspaceId, "", signal),
        findWorkflows(workspaceId, "", signal),
        unwrap(client.GET("/admin/v1/agents/{agent_id}/shortcuts", { params: { path }, signal })),
      ]);
      return new Map([
        ...[...tools, ...flows].map(({ value, label }) => [value, label] as const),
        ...shortcuts.items.map(({ id, name }) => [id, name] as const),
      ]);
    },
  });
  return data ?? NO_NAMES;
}

const NO_NAMES: Names = new Map();

/** Makes a version the draft, or takes that back until the draft is edited. */
export function useRestore(agentId: string) {
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: agentQuery(agentId).queryKey }),
      queries.invalidateQueries({ queryKey: ["agent.content", agentId, DRAFT] }),
      queries.invalidateQueries({ queryKey: ["admin.agents.list"] }),
    ]);
  const restore = useMutation({
    mutationFn: (version: string) =>
      unwrap(
        client.POST("/admin/v1/agents/{agent_id}/versions/{version}/restore", {
          params: { path: { agent_id: agentId, version } },
        }),
      ),
    onSuccess: refresh,
  });
  const undo = useMutation({
    mutationFn: () =>
      unwrap(
        client.DELETE("/admin/v1/agents/{agent_id}/versions/restore", {
          params: { path: { agent_id: agentId } },
        }),
      ),
    onSuccess: refresh,
  });
  return { restore, undo };
}
