import { useMutation, useQuery } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { PAGE_ROWS } from "../../api/queries";
import { useRefresh } from "../../api/refresh";
import type { ToolView } from "../../api/schema";
import { findPluginTools, loadWorkflows, toolKey } from "./queries";

/** What can be bound to an agent: a tool of a plugin or of an MCP server, a workflow, a table. */
export type Offer = {
  key: string;
  kind: "plugin" | "mcp" | "workflow" | "database";
  name: string;
  description: string;
  /** The plugin or server that it is of. */
  source: string;
  /** Only what is published can be bound. */
  isReady: boolean;
  effect: ToolView["effect"];
  tool?: ToolView;
};

/** Nobody changes rows of such a table. */
const READ_ONLY = 2;
const TABLES = "admin.databases.list";

async function loadTables(workspaceId: string, q: string, signal: AbortSignal) {
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces/{workspace_id}/databases", {
      params: {
        path: { workspace_id: workspaceId },
        query: { limit: String(PAGE_ROWS), ...(q && { q }) },
      },
      signal,
    }),
  );
  return items;
}

/** The tables that an agent works with, and how that is changed: at once, and for all versions. */
export function useBoundTables(workspaceId: string, agentId: string) {
  const refresh = useRefresh(TABLES, workspaceId);
  const { data } = useQuery({
    queryKey: [TABLES, workspaceId, "workbench"],
    queryFn: ({ signal }) => loadTables(workspaceId, "", signal),
  });
  const change = useMutation({
    mutationFn: ({ id, isBound }: { id: string; isBound: boolean }) => {
      const params = { path: { database_id: id, agent_id: agentId } };
      const path = "/admin/v1/databases/{database_id}/agents/{agent_id}";
      return done(isBound ? client.POST(path, { params }) : client.DELETE(path, { params }));
    },
    onSettled: refresh,
  });
  return { tables: data?.filter((each) => each.agent_ids.includes(agentId)) ?? [], change };
}

/** Everything that matches what was typed. */
export function useOffers(workspaceId: string, q: string) {
  return useQuery({
    queryKey: ["workbench.offers", workspaceId, q],
    queryFn: async ({ signal }): Promise<readonly Offer[]> => {
      const [tools, flows, tables] = await Promise.all([
        findPluginTools(workspaceId, q, signal),
        loadWorkflows(workspaceId, q, signal),
        loadTables(workspaceId, q, signal),
      ]);
      return [
        ...tools.map(({ plugin, tool }) => ({
          key: toolKey(plugin.id, tool.id),
          kind: plugin.type === "mcp" ? ("mcp" as const) : ("plugin" as const),
          name: tool.name,
          description: tool.description,
          source: plugin.name,
          isReady: plugin.status === "published",
          effect: tool.effect,
          tool,
        })),
        ...flows.map((flow) => ({
          key: flow.id,
          kind: "workflow" as const,
          name: flow.name,
          description: flow.description,
          source: "",
          isReady: flow.is_published,
          effect: "read" as const,
        })),
        ...tables.map((table) => ({
          key: table.id,
          kind: "database" as const,
          name: table.table_name,
          description: table.table_desc,
          source: "",
          isReady: true,
          effect: table.rw_mode === READ_ONLY ? ("read" as const) : ("external_write" as const),
        })),
      ];
    },
  });
}

/** A tool that is bound, with its plugin and the versions that it can be pinned to. */
export function useBoundTool(pluginId: string, toolId: string, isWanted: boolean) {
  const params = { path: { plugin_id: pluginId } };
  const { data } = useQuery({
    queryKey: ["workbench.bound_tool", pluginId],
    queryFn: async ({ signal }) => {
      const [plugin, tools, versions] = await Promise.all([
        unwrap(client.GET("/admin/v1/plugins/{plugin_id}", { params, signal })),
        unwrap(client.GET("/admin/v1/plugins/{plugin_id}/tools", { params, signal })),
        unwrap(
          client.GET("/admin/v1/plugins/{plugin_id}/versions", {
            params: { ...params, query: { limit: String(PAGE_ROWS) } },
            signal,
          }),
        ),
      ]);
      return { plugin, tools: tools.items, versions: versions.items };
    },
    enabled: isWanted,
  });
  return (
    data && {
      plugin: data.plugin,
      tool: data.tools.find((each) => each.id === toolId),
      versions: data.versions.map((each) => each.version_name),
    }
  );
}

/** A workflow that is bound, with the versions that it can be pinned to. */
export function useBoundFlow(workflowId: string, isWanted: boolean) {
  const params = { path: { workflow_id: workflowId } };
  return useQuery({
    queryKey: ["workbench.bound_flow", workflowId],
    queryFn: async ({ signal }) => {
      const [flow, versions] = await Promise.all([
        unwrap(client.GET("/admin/v1/workflows/{workflow_id}", { params, signal })),
        unwrap(
          client.GET("/admin/v1/workflows/{workflow_id}/versions", {
            params: { ...params, query: { limit: String(PAGE_ROWS) } },
            signal,
          }),
        ),
      ]);
      return { flow, versions: versions.items.map((each) => each.version) };
    },
    enabled: isWanted,
  }).data;
}
