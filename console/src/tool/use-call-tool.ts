import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";

/** Calls a tool as it is in the draft of its plugin; what goes wrong stands in the report. */
export function useCallTool(pluginId: string, toolId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: Record<string, unknown>) =>
      unwrap(
        client.POST("/admin/v1/plugins/{plugin_id}/tools/{tool_id}/debug", {
          params: { path: { plugin_id: pluginId, tool_id: toolId } },
          body: { arguments: values },
        }),
      ),
    // A tool that was called can be published.
    onSuccess: () =>
      Promise.all(
        ["admin.plugins.get", "admin.plugin_tools.list", "admin.plugins.list_changes"].map((name) =>
          queries.invalidateQueries({ queryKey: [name, pluginId] }),
        ),
      ),
  });
}
