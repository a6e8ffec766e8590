import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../../../api/client";
import type { CreatePlugin, McpTransport } from "../../../api/schema";
import { PLUGINS } from "../queries";
import { type Review, reviewOf, type Source, type ToolDraft } from "./rules";

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

type Plugin = { name: string; description: string; serverUrl: string; tools: ToolDraft[] };

export function useCreatePlugin(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, description, serverUrl, tools }: Plugin) =>
      create(workspaceId, { name, description, server_url: serverUrl, tools }),
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
