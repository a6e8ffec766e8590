import { useMutation, useQuery } from "@tanstack/react-query";
import { AGENTS, TEMPLATES, useRefreshAgents } from "../../agent/queries";
import { client, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { AdminAgentSummary, CreateAgentBody } from "../../api/schema";
import type { ComboboxOption } from "../../ui/combobox/options";

export type Agent = AdminAgentSummary;
export type AgentFilters = {
  q?: string | undefined;
  state?: string | undefined;
  mode?: string | undefined;
  creator?: string | undefined;
  model?: string | undefined;
  /** What it is bound to, as `dataset_id:7`. */
  uses?: string | undefined;
  order?: string | undefined;
};

const STATES: Readonly<Record<string, string>> = {
  published: "online",
  changed: "changed",
  draft: "offline",
};

export function useAgents(workspaceId: string, filters: AgentFilters) {
  const { q, state, mode, creator, model, uses, order } = filters;
  const [field, id] = uses?.split(":") ?? [];
  const status = state && STATES[state];
  return useList<Agent>({
    key: [AGENTS, workspaceId, q, state, mode, creator, model, uses, order],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(status && { status }),
              ...(mode && { mode }),
              ...(creator && { creator_id: creator }),
              ...(model && { model }),
              ...(field && id && { [field]: id }),
              ...(order && { order }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

/** What agents can be narrowed to: models, and what they can be bound to. */
export function useParts(workspaceId: string, isWanted: boolean) {
  return useQuery({
    queryKey: ["agents.parts", workspaceId],
    queryFn: async ({ signal }) => {
      const params = {
        path: { workspace_id: workspaceId },
        query: { limit: String(PAGE_ROWS) },
      };
      const [models, datasets, plugins, workflows] = await Promise.all([
        unwrap(
          client.GET("/admin/v1/models", {
            params: { query: { type: "llm", limit: String(PAGE_ROWS) } },
            signal,
          }),
        ),
        unwrap(
          client.GET("/admin/v1/workspaces/{workspace_id}/datasets", { params, signal }),
        ).catch(() => NONE),
        unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/plugins", { params, signal })).catch(
          () => NONE,
        ),
        unwrap(
          client.GET("/admin/v1/workspaces/{workspace_id}/workflows", { params, signal }),
        ).catch(() => NONE),
      ]);
      return {
        models: models.items,
        datasets: datasets.items,
        plugins: plugins.items,
        workflows: workflows.items,
      };
    },
    enabled: isWanted,
  }).data;
}

/** What a role may not read is nothing to choose from. */
const NONE: { items: { id: string; name: string }[] } = { items: [] };

export function useCreateAgent(workspaceId: string) {
  const refresh = useRefreshAgents();
  return useMutation({
    mutationFn: (body: CreateAgentBody) =>
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
  const refresh = useRefreshAgents();
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

export type Imported = { document: Record<string, unknown>; name: string; secrets: Secrets };
export type Secrets = Record<string, string>;

export function useImportAgent(workspaceId: string) {
  const refresh = useRefreshAgents();
  return useMutation({
    mutationFn: ({ document, name, secrets }: Imported) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/agents:import", {
          params: { path: { workspace_id: workspaceId } },
          body: { document, secrets, ...(name && { name }) },
        }),
      ),
    onSuccess: refresh,
  });
}

export function useCopyTemplate(workspaceId: string) {
  const refresh = useRefreshAgents();
  return useMutation({
    mutationFn: ({ templateId, name }: { templateId: string; name: string }) =>
      unwrap(
        client.POST("/admin/v1/templates/{template_id}/duplicate", {
          params: { path: { template_id: templateId } },
          body: { workspace_id: workspaceId, ...(name && { name }) },
        }),
      ),
    onSuccess: refresh,
  });
}

export function useTemplates() {
  return useQuery({
    queryKey: [TEMPLATES],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/templates", {
          params: { query: { limit: String(PAGE_ROWS) } },
          signal,
        }),
      ),
  });
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
