import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { loadAgent } from "../../api/agent";
import { client, unwrap } from "../../api/client";
import { useRested } from "../../api/list";
import { nothingBefore, PAGE_ROWS } from "../../api/queries";
import type {
  AdminAgent,
  AdminTraceSummary,
  AdminWorkflow,
  PluginView,
  ToolView,
} from "../../api/schema";
import type { Measured } from "../../chat/turn";
import { agentAhead } from "../../playground/opening";
import { formatPoints } from "../../trace/figures";
import type { ComboboxOption } from "../../ui/combobox/options";
import type { Draft, Edits } from "./edits";

/** Connector on which drafts are tried; nobody publishes there. */
export const EDITOR = "10000010";

/** How long the library is taken as read while somebody writes. */
const PROMPTS_MS = 10_000;

export function agentQuery(agentId: string) {
  return queryOptions({
    queryKey: ["admin.agents.get", agentId],
    queryFn: () => agentAhead.take(agentId),
    staleTime: 0,
    gcTime: 0,
    placeholderData: nothingBefore,
    throwOnError: (_, { state }) => state.data === undefined,
  });
}

/**
 * An agent once it is there. No screen is suspended for it: React would show the screen no sooner
 * than 300 ms after the nothing that stood for it.
 */
export function useAgent(agentId: string): AdminAgent | undefined {
  return useQuery(agentQuery(agentId)).data;
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

/** The model that a draft names by id, name or alias, or the one that stands in for none. */
export function useChosenModel({ model_id, model_name }: Draft["model"]) {
  const named = model_id || model_name;
  return useModels()?.find(
    ({ id, display, aliases }) => id === named || display.name === named || aliases.includes(named),
  );
}

/** How long typing rests before its tokens are counted. */
const COUNT_REST_MS = 700;
const COUNTED_MS = 10_000;

/** Estimate of the tokens of a text for a model; the one before while it is asked for. */
export function useTokens(modelId: string | undefined, text: string): number | undefined {
  const rested = useRested(text, COUNT_REST_MS);
  const { data } = useQuery({
    queryKey: ["admin.models.count_tokens", modelId, rested],
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/admin/v1/models/{model_id}/count-tokens", {
          params: { path: { model_id: modelId ?? "" } },
          body: { texts: [rested] },
          signal,
        }),
      ),
    enabled: modelId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: COUNTED_MS,
  });
  return data?.total;
}

/** Where an agent's model is asked for a text. */
export function assistPath(agentId: string): string {
  return `/admin/v1/agents/${encodeURIComponent(agentId)}/assist`;
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

/** Workflows of a workspace that match what was typed. */
export async function loadWorkflows(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly AdminWorkflow[]> {
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces/{workspace_id}/workflows", {
      params: { path: { workspace_id: workspaceId }, query: { limit: "50", ...(q && { q }) } },
      signal,
    }),
  );
  return items;
}

/** The same, as choices; what is not published cannot be called. */
export async function findWorkflows(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const items = await loadWorkflows(workspaceId, q, signal);
  return items.map((flow) => ({
    value: flow.id,
    label: flow.name,
    note: flow.description,
    isDisabled: !flow.is_published,
  }));
}

/** Plugins whose tools are offered; further ones are found by what is typed. */
const PLUGINS_AT_ONCE = "30";

/** Tools of the plugins of a workspace: those that match what was typed, or whose plugin does. */
export async function findPluginTools(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly { plugin: PluginView; tool: ToolView }[]> {
  const path = { workspace_id: workspaceId };
  const list = (query: { limit: string; q?: string }) =>
    unwrap(
      client.GET("/admin/v1/workspaces/{workspace_id}/plugins", {
        params: { path, query },
        signal,
      }),
    );
  const [all, named] = await Promise.all([
    list({ limit: PLUGINS_AT_ONCE }),
    q ? list({ limit: PLUGINS_AT_ONCE, q }) : undefined,
  ]);
  const isNamed = new Set(named?.items.map((plugin) => plugin.id));
  const plugins = new Map([...all.items, ...(named?.items ?? [])].map((each) => [each.id, each]));
  const found = await Promise.all(
    [...plugins.values()].map(async (plugin) => {
      const { items } = await unwrap(
        client.GET("/admin/v1/plugins/{plugin_id}/tools", {
          params: { path: { plugin_id: plugin.id } },
          signal,
        }),
      );
      return items
        .filter((tool) => isNamed.has(plugin.id) || holds(tool, q))
        .map((tool) => ({ plugin, tool }));
    }),
  );
  return found.flat();
}

/** The same, as choices. */
export async function findTools(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const found = await findPluginTools(workspaceId, q, signal);
  return found.map(({ plugin, tool }) => ({
    value: toolKey(plugin.id, tool.id),
    label: tool.name,
    note: plugin.name,
    isDisabled: plugin.status !== "published",
  }));
}

type Find = (
  workspaceId: string,
  q: string,
  signal: AbortSignal,
) => Promise<readonly ComboboxOption[]>;

/** A search that can be typed into, and the names of what it finds at first. */
export function useFound(key: string, workspaceId: string, search: Find) {
  const find = useCallback(
    (q: string, signal: AbortSignal) => search(workspaceId, q, signal),
    [workspaceId, search],
  );
  const { data } = useQuery({
    queryKey: [key, workspaceId],
    queryFn: ({ signal }) => search(workspaceId, "", signal),
  });
  return { find, names: new Map(data?.map((each) => [each.value, each.label])) };
}

/** How a tool of a plugin is named in a list of choices. */
export function toolKey(pluginId: string, toolId: string): string {
  return `${pluginId}/${toolId}`;
}

function holds(tool: { name: string; description: string }, q: string): boolean {
  return `${tool.name} ${tool.description}`.toLowerCase().includes(q.toLowerCase());
}

/** A run is told in the list of runs a moment after its end. */
const MEASURED_MS = 700;
const MEASURE_TRIES = 6;

/** What the runs of a conversation took and cost. */
export function useMeasures(
  workspaceId: string,
  conversationId: string | undefined,
  lastRunId: string | undefined,
): ReadonlyMap<string, Measured> {
  const { data } = useQuery({
    queryKey: ["workbench.measures", conversationId, lastRunId],
    queryFn: async ({ signal }) => {
      const { items } = await unwrap(
        client.GET("/admin/v1/traces", {
          params: {
            query: {
              workspace_id: [workspaceId],
              conversation_id: conversationId ?? "",
              limit: String(PAGE_ROWS),
            },
          },
          signal,
        }),
      );
      return new Map(items.map((run) => [run.run_id, measured(run)]));
    },
    enabled: Boolean(conversationId && lastRunId),
    refetchInterval: ({ state }) =>
      (lastRunId && state.data?.has(lastRunId)) || state.dataUpdateCount >= MEASURE_TRIES
        ? false
        : MEASURED_MS,
  });
  return data ?? NOTHING_MEASURED;
}

const NOTHING_MEASURED: ReadonlyMap<string, Measured> = new Map();

function measured(run: AdminTraceSummary): Measured {
  return {
    firstTokenMs: run.first_token_ms ?? undefined,
    totalMs: run.duration_us / 1000,
    steps: run.steps,
    input: run.input_tokens,
    output: run.output_tokens,
    cached: run.cached_tokens,
    cost: Number(run.cost) > 0 ? formatPoints(run.cost) : undefined,
  };
}

/** What is to be known before the draft is published. */
export async function loadPublication(agentId: string) {
  const params = { path: { agent_id: agentId } };
  const [check, draft, connectors] = await Promise.all([
    unwrap(client.POST("/admin/v1/agents/{agent_id}/validate", { params })),
    loadAgent(agentId),
    unwrap(client.GET("/admin/v1/agents/{agent_id}/connectors", { params })),
  ]);
  return { findings: check.items, draft, connectors: connectors.items };
}

export function publishAgent(agentId: string, description: string, channels: readonly string[]) {
  return unwrap(
    client.POST("/admin/v1/agents/{agent_id}/publish", {
      params: { path: { agent_id: agentId } },
      body: { description, connector_ids: [...channels] },
    }),
  );
}

/** Links under which people talk to an agent; nothing before they are known. */
export function useShareLinks(workspaceId: string, agentId: string, isWanted = true) {
  const { data } = useQuery({
    queryKey: ["admin.share_links.list", workspaceId, "all"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/share-links", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
    enabled: isWanted,
  });
  return data?.items.filter((link) => link.target_type === "agent" && link.target_id === agentId);
}

/** Messaging platforms on which an agent answers; nothing before they are known. */
export function useMessageChannels(workspaceId: string, agentId: string, isWanted: boolean) {
  const { data } = useQuery({
    queryKey: ["admin.channels.list", workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/channels", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
    enabled: isWanted,
  });
  return data?.items.filter((each) => each.target_type === "agent" && each.target_id === agentId);
}

/** Asks a platform who the app is there. */
export function testChannel(channelId: string) {
  return unwrap(
    client.POST("/admin/v1/channels/{channel_id}/test", {
      params: { path: { channel_id: channelId } },
    }),
  );
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
