import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../../api/client";
import { PAGE_ROWS } from "../../api/queries";
import type { AdminAgent } from "../../api/schema";
import type { ComboboxOption } from "../../ui/combobox/options";
import type { Edits } from "./edits";

/** How long the library is taken as read while somebody writes. */
const PROMPTS_MS = 10_000;

export function agentQuery(agentId: string) {
  return queryOptions({
    queryKey: ["admin.agents.get", agentId],
    queryFn: () => loadAgent(agentId),
    staleTime: 0,
    gcTime: 0,
  });
}

export function loadAgent(agentId: string): Promise<AdminAgent> {
  return unwrap(
    client.GET("/admin/v1/agents/{agent_id}", { params: { path: { agent_id: agentId } } }),
  );
}

export function saveAgent(agentId: string, body: Edits, revision: number): Promise<AdminAgent> {
  return unwrap(
    client.PATCH("/admin/v1/agents/{agent_id}", {
      params: { path: { agent_id: agentId }, header: { "If-Match": String(revision) } },
      body,
    }),
  );
}

export function useModels() {
  return useQuery({
    queryKey: ["admin.models.list", "llm"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/models", {
          params: { query: { type: "llm", limit: String(PAGE_ROWS) } },
          signal,
        }),
      ),
  }).data?.items;
}

/** Bases of a workspace that match what was typed. */
export async function findBases(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces/{workspace_id}/datasets", {
      params: { path: { workspace_id: workspaceId }, query: { limit: "50", ...(q && { q }) } },
      signal,
    }),
  );
  return items.map((base) => ({ value: base.id, label: base.name, note: base.description }));
}

/** Workflows of a workspace that match what was typed and can be called. */
export async function findWorkflows(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces/{workspace_id}/workflows", {
      params: { path: { workspace_id: workspaceId }, query: { limit: "50", ...(q && { q }) } },
      signal,
    }),
  );
  return items.map((flow) => ({
    value: flow.id,
    label: flow.name,
    note: flow.description,
    isDisabled: !flow.is_published,
  }));
}

export function useSystemVariables() {
  return useQuery({
    queryKey: ["admin.variables.list_system"],
    queryFn: () => unwrap(client.GET("/admin/v1/system-variables")),
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.items;
}

export function checkAgent(agentId: string) {
  return unwrap(
    client.POST("/admin/v1/agents/{agent_id}/validate", {
      params: { path: { agent_id: agentId } },
    }),
  );
}

export function publishAgent(agentId: string, description: string) {
  return unwrap(
    client.POST("/admin/v1/agents/{agent_id}/publish", {
      params: { path: { agent_id: agentId } },
      body: { description },
    }),
  );
}

/** The lists that show an agent read it again. */
export function useRefreshAgents(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ["admin.agents.list"] });
}

/** The texts of the library of a workspace, and those that come with the product. */
export function useFindPrompts(workspaceId: string) {
  const queries = useQueryClient();
  return async () => {
    const { items } = await queries.fetchQuery({
      queryKey: ["workbench.prompts", workspaceId],
      queryFn: async ({ signal }) => {
        const [own, official] = await Promise.all([
          unwrap(
            client.GET("/admin/v1/workspaces/{workspace_id}/prompts", {
              params: {
                path: { workspace_id: workspaceId },
                query: { limit: String(PAGE_ROWS) },
              },
              signal,
            }),
          ),
          unwrap(
            client.GET("/admin/v1/prompts", { params: { query: { scope: "official" } }, signal }),
          ),
        ]);
        return { items: [...own.items, ...official.items] };
      },
      staleTime: PROMPTS_MS,
    });
    return items.map(({ id, name, description, prompt_text }) => ({
      id,
      name,
      note: description,
      text: prompt_text,
    }));
  };
}
