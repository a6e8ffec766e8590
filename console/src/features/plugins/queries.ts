import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { PluginView } from "../../api/schema";
import type { ListSearch } from "../../api/search";
import { deletePlugin, PLUGINS } from "../../plugin/queries";

export type Plugin = PluginView;

export function usePlugins(workspaceId: string, { q, state }: ListSearch<"state">) {
  return useList<Plugin>({
    key: [PLUGINS, workspaceId, q, state],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/plugins", {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(state && { published: String(state === "published") }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

export function useDeletePlugin() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (plugin: Plugin) => deletePlugin(plugin.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [PLUGINS] }),
  });
}
