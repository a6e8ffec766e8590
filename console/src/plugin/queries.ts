import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../api/client";
import type { CreatePlugin, McpTransport, PluginView } from "../api/schema";
import { type Review, reviewOf, type Source, type ToolDraft } from "./rules";

/** Key of all lists of plugins. */
export const PLUGINS = "admin.plugins.list";

const of = (pluginId: string) => ({ path: { plugin_id: pluginId } });

/** What a source would become; nothing is stored. */
export function useReview(workspaceId: string) {
  return useMutation({
    mutationFn: (source: Source): Promise<Review> =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/plugins:review", {
          params: { path: { workspace_id: workspaceId } },
          body: reviewOf(source),
        }),
      ),
  });
}

export type PluginDraft = {
  name: string;
  description: string;
  serverUrl: string;
  tools: ToolDraft[];
};

export function createPlugin(workspaceId: string, draft: PluginDraft): Promise<PluginView> {
  const { name, description, serverUrl, tools } = draft;
  return create(workspaceId, { name, description, server_url: serverUrl, tools });
}

export function useCreatePlugin(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (plugin: PluginDraft) => createPlugin(workspaceId, plugin),
    onSuccess: () => queries.invalidateQueries({ queryKey: [PLUGINS] }),
  });
}

/** Names of the programs that the operator lets this workspace use; nothing until they are known. */
export function usePrograms(workspaceId: string): readonly string[] | undefined {
  const { data } = useQuery({
    queryKey: ["admin.plugins.list_programs", workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/plugin-programs", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
  return data?.items.map((each) => each.name);
}

export type McpServer = {
  name: string;
  address: string;
  program: string;
  transport: McpTransport;
  token: string;
};

/** Makes a plugin without tools for a server, which is asked for them afterwards. */
export function useAddServer(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, address, program, transport, token }: McpServer) => {
      const plugin = await create(workspaceId, {
        name,
        description: "",
        type: "mcp",
        server_url: address,
        mcp: { program, transport, call_timeout_s: 0 },
        tools: [],
      });
      if (token) {
        await unwrap(
          client.PUT("/admin/v1/plugins/{plugin_id}/auth", {
            params: { path: { plugin_id: plugin.id } },
            body: {
              type: "service",
              location: "header",
              key: "Authorization",
              token: /\s/.test(token) ? token : `Bearer ${token}`,
              client_id: "",
              client_secret: "",
              client_url: "",
              authorization_url: "",
              authorization_content_type: "application/x-www-form-urlencoded",
              scope: "",
              shared: false,
            },
          }),
        );
      }
      return plugin;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [PLUGINS] }),
  });
}

function create(workspaceId: string, body: CreatePlugin) {
  return unwrap(
    client.POST("/admin/v1/workspaces/{workspace_id}/plugins", {
      params: { path: { workspace_id: workspaceId } },
      body,
    }),
  );
}

/** Asks the server behind a plugin for its tools, now. */
export function inspectServer(pluginId: string) {
  return unwrap(
    client.POST("/admin/v1/plugins/{plugin_id}/server-tools:inspect", { params: of(pluginId) }),
  );
}

/** Takes tools that the server was seen to offer into the draft. */
export function acceptTools(pluginId: string, body: { digest: string; names: string[] }) {
  return unwrap(
    client.POST("/admin/v1/plugins/{plugin_id}/server-tools:accept", {
      params: of(pluginId),
      body,
    }),
  );
}

/** Makes a version of a draft; `isForced`: also of tools that nobody has tried. */
export function publishPlugin(pluginId: string, note: string, isForced: boolean) {
  return unwrap(
    client.POST("/admin/v1/plugins/{plugin_id}/publish", {
      params: of(pluginId),
      body: { version_name: "", version_desc: note, force: isForced },
    }),
  );
}

export function deletePlugin(pluginId: string): Promise<void> {
  return done(client.DELETE("/admin/v1/plugins/{plugin_id}", { params: of(pluginId) }));
}

export function loadTools(pluginId: string, signal?: AbortSignal) {
  return unwrap(
    client.GET("/admin/v1/plugins/{plugin_id}/tools", {
      params: of(pluginId),
      ...(signal && { signal }),
    }),
  );
}
