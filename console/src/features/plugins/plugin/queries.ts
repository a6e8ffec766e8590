import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../../api/client";
import { useList } from "../../../api/list";
import { PAGE_ROWS } from "../../../api/queries";
import type {
  PluginVersionView,
  SetAuth,
  ToolForm,
  ToolPatch,
  ToolView,
  UpdatePlugin,
} from "../../../api/schema";
import {
  acceptTools,
  inspectServer,
  loadTools,
  PLUGINS,
  publishPlugin,
} from "../../../plugin/queries";

export type Tool = ToolView;
export type Version = PluginVersionView;

const PLUGIN = "admin.plugins.get";
const TOOLS = "admin.plugin_tools.list";
const CHANGES = "admin.plugins.list_changes";
const VERSIONS = "admin.plugins.list_versions";
const GRANT = "admin.plugins.get_grant";
const HOSTS = "admin.plugin_hosts.get";

const of = (pluginId: string) => ({ path: { plugin_id: pluginId } });

export function pluginQuery(pluginId: string) {
  return queryOptions({
    queryKey: [PLUGIN, pluginId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/plugins/{plugin_id}", { params: of(pluginId), signal })),
  });
}

export function toolsQuery(pluginId: string) {
  return queryOptions({
    queryKey: [TOOLS, pluginId],
    queryFn: ({ signal }) => loadTools(pluginId, signal),
  });
}

/** What publishing would add, change and remove. */
export function changesQuery(pluginId: string) {
  return queryOptions({
    queryKey: [CHANGES, pluginId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/plugins/{plugin_id}/changes", { params: of(pluginId), signal })),
  });
}

export function useVersions(pluginId: string) {
  return useList<Version>({
    key: [VERSIONS, pluginId],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/plugins/{plugin_id}/versions", {
          params: {
            ...of(pluginId),
            query: { limit: String(PAGE_ROWS), ...(cursor && { cursor }) },
          },
          signal,
        }),
      ),
  });
}

/** Whether the account that looks gave the plugin access. */
export function grantQuery(pluginId: string) {
  return queryOptions({
    queryKey: [GRANT, pluginId],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/plugins/{plugin_id}/oauth", { params: of(pluginId), signal })),
    staleTime: 0,
  });
}

export function hostsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [HOSTS, workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/plugin-hosts", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
}

/** Asks again for all that is known of a plugin. */
function useRefresh(pluginId: string): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [
        [PLUGIN, pluginId],
        [TOOLS, pluginId],
        [CHANGES, pluginId],
        [VERSIONS, pluginId],
        [GRANT, pluginId],
        [PLUGINS],
      ].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
}

export function useUpdatePlugin(pluginId: string) {
  const refresh = useRefresh(pluginId);
  return useMutation({
    mutationFn: (body: UpdatePlugin) =>
      unwrap(client.PATCH("/admin/v1/plugins/{plugin_id}", { params: of(pluginId), body })),
    onSuccess: refresh,
  });
}

export function useSetAuth(pluginId: string) {
  const refresh = useRefresh(pluginId);
  return useMutation({
    mutationFn: (body: SetAuth) =>
      unwrap(client.PUT("/admin/v1/plugins/{plugin_id}/auth", { params: of(pluginId), body })),
    onSuccess: refresh,
  });
}

export function useRevokeGrant(pluginId: string) {
  const refresh = useRefresh(pluginId);
  return useMutation({
    mutationFn: () =>
      done(client.DELETE("/admin/v1/plugins/{plugin_id}/oauth", { params: of(pluginId) })),
    onSuccess: refresh,
  });
}

export function useSetHosts(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (hosts: string[]) =>
      unwrap(
        client.PUT("/admin/v1/workspaces/{workspace_id}/plugin-hosts", {
          params: { path: { workspace_id: workspaceId } },
          body: { hosts },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [HOSTS, workspaceId] }),
  });
}

type Publication = { note: string; isForced: boolean };

export function usePublish(pluginId: string) {
  const refresh = useRefresh(pluginId);
  return useMutation({
    mutationFn: ({ note, isForced }: Publication) => publishPlugin(pluginId, note, isForced),
    onSuccess: refresh,
  });
}

/** Asks the server behind a plugin for its tools, now. */
export function useInspect(pluginId: string) {
  return useMutation({
    mutationFn: () => inspectServer(pluginId),
  });
}

export function useAccept(pluginId: string) {
  const refresh = useRefresh(pluginId);
  return useMutation({
    mutationFn: (body: { digest: string; names: string[] }) => acceptTools(pluginId, body),
    onSuccess: refresh,
  });
}

export function useAddTool(pluginId: string) {
  const refresh = useRefresh(pluginId);
  return useMutation({
    mutationFn: (body: ToolForm) =>
      unwrap(client.POST("/admin/v1/plugins/{plugin_id}/tools", { params: of(pluginId), body })),
    onSuccess: refresh,
  });
}

const at = (pluginId: string, toolId: string) => ({
  path: { plugin_id: pluginId, tool_id: toolId },
});

export function useUpdateTool(pluginId: string) {
  const refresh = useRefresh(pluginId);
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: ToolPatch }) =>
      unwrap(
        client.PATCH("/admin/v1/plugins/{plugin_id}/tools/{tool_id}", {
          params: at(pluginId, id),
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useDeleteTool(pluginId: string) {
  const refresh = useRefresh(pluginId);
  return useMutation({
    mutationFn: (tool: Tool) =>
      done(
        client.DELETE("/admin/v1/plugins/{plugin_id}/tools/{tool_id}", {
          params: at(pluginId, tool.id),
        }),
      ),
    onSuccess: refresh,
  });
}

/** Agents whose drafts use a tool of the plugin. */
/** Workflows whose draft or newest version calls a plugin. */
export function callersQuery(workspaceId: string, pluginId: string) {
  return queryOptions({
    queryKey: ["admin.workflows.list", workspaceId, "using plugin", pluginId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/workflows", {
          params: {
            path: { workspace_id: workspaceId },
            query: { plugin_id: pluginId, limit: String(PAGE_ROWS) },
          },
          signal,
        }),
      ),
  });
}

/** Agents that have tools of a plugin. */
export function usersQuery(workspaceId: string, pluginId: string) {
  return queryOptions({
    queryKey: ["admin.agents.list", workspaceId, "using plugin", pluginId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
          params: {
            path: { workspace_id: workspaceId },
            query: { plugin_id: pluginId, limit: String(PAGE_ROWS) },
          },
          signal,
        }),
      ),
  });
}
