import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../api/client";
import type { ComboboxOption } from "../ui/combobox/options";
import { saveAs } from "../ui/file/save-as";

/** What is done with an agent as a whole needs no more of it. */
export type KnownAgent = {
  id: string;
  name: string;
  workspace_id: string;
  is_published: boolean;
  template_category?: string | null;
};

/** Key of all lists of agents. */
export const AGENTS = "admin.agents.list";
export const TEMPLATES = "admin.templates.list";

export function useRefreshAgents(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [AGENTS] }),
      queries.invalidateQueries({ queryKey: [TEMPLATES] }),
    ]);
}

export function useDuplicateAgent() {
  const refresh = useRefreshAgents();
  return useMutation({
    mutationFn: ({ id, name, workspaceId }: { id: string; name: string; workspaceId: string }) =>
      unwrap(
        client.POST("/admin/v1/agents/{agent_id}/duplicate", {
          params: { path: { agent_id: id } },
          body: { name, workspace_id: workspaceId },
        }),
      ),
    onSuccess: refresh,
  });
}

export function deleteAgent(agent: { id: string }): Promise<void> {
  return done(
    client.DELETE("/admin/v1/agents/{agent_id}", { params: { path: { agent_id: agent.id } } }),
  );
}

export function useDeleteAgent() {
  const refresh = useRefreshAgents();
  return useMutation({
    mutationFn: (agent: KnownAgent) => deleteAgent(agent),
    onSuccess: refresh,
  });
}

/** Undoes a deletion; for seven days it can be. */
export function restoreAgent(agent: { id: string }) {
  return unwrap(
    client.POST("/admin/v1/agents/{agent_id}/restore", {
      params: { path: { agent_id: agent.id } },
    }),
  );
}

/** Offers an agent as a template in a category, or stops with undefined. */
export function markTemplate(agent: KnownAgent, category: string | undefined) {
  return unwrap(
    client.PUT("/admin/v1/agents/{agent_id}/template", {
      params: { path: { agent_id: agent.id } },
      body: category === undefined ? { enabled: false } : { enabled: true, category },
    }),
  );
}

/** Gives the person the draft as a file that holds no secret. */
export async function exportAgent(agent: KnownAgent): Promise<void> {
  const { document } = await unwrap(
    client.GET("/admin/v1/agents/{agent_id}/export", {
      params: { path: { agent_id: agent.id } },
    }),
  );
  saveAs(`${JSON.stringify(document, undefined, 2)}\n`, `${agent.name}.agent.json`);
}

/** Agents of a workspace that match what was typed, of those that fit. */
export async function findAgents(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
  isFit: (agent: { mode: string }) => boolean = () => true,
): Promise<readonly ComboboxOption[]> {
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
      params: { path: { workspace_id: workspaceId }, query: { limit: "50", ...(q && { q }) } },
      signal,
    }),
  );
  return items
    .filter(isFit)
    .map(({ id, name, description }) => ({ value: id, label: name, note: description }));
}
