import { useQueries, useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../../../api/client";
import type { Choice, Kind, Want } from "./rules";

const LIMIT = "100";
const NONE: readonly Choice[] = [];

/** What there is here of the kinds that are asked for. */
export function useChoices(workspaceId: string, wants: readonly Want[]) {
  const path = { workspace_id: workspaceId };
  const query = { limit: LIMIT };
  const params = { path, query };
  const has = (kind: Kind) => wants.some((each) => each.kind === kind);
  const asks: Readonly<Record<Kind, (signal: AbortSignal) => Promise<readonly Choice[]>>> = {
    workflow: async (signal) => {
      const url = "/admin/v1/workspaces/{workspace_id}/workflows";
      const { items } = await unwrap(client.GET(url, { params, signal }));
      return items.map((each) => ({ value: each.id, label: each.name }));
    },
    model: async (signal) => {
      const { items } = await unwrap(
        client.GET("/admin/v1/models", { params: { query: { type: "llm" } }, signal }),
      );
      return items.map((each) => ({
        value: String(each.id),
        label: each.display.name || String(each.id),
      }));
    },
    dataset: async (signal) => {
      const url = "/admin/v1/workspaces/{workspace_id}/datasets";
      const { items } = await unwrap(client.GET(url, { params, signal }));
      return items.map((each) => ({ value: each.id, label: each.name }));
    },
    plugin: async (signal) => {
      const url = "/admin/v1/workspaces/{workspace_id}/plugins";
      const { items } = await unwrap(client.GET(url, { params, signal }));
      return items.map((each) => ({ value: each.id, label: each.name }));
    },
    database: async (signal) => {
      const url = "/admin/v1/workspaces/{workspace_id}/databases";
      const { items } = await unwrap(client.GET(url, { params, signal }));
      return items.map((each) => ({ value: each.id, label: each.table_name }));
    },
  };
  const kinds: readonly Kind[] = ["workflow", "model", "dataset", "plugin", "database"];
  return useQueries({
    queries: kinds.map((kind) => ({
      queryKey: ["workflows.import", workspaceId, kind],
      queryFn: ({ signal }: { signal: AbortSignal }) => asks[kind](signal),
      enabled: has(kind),
    })),
    combine: (found) => ({
      isReady: found.every((each, index) => each.isSuccess || !has(kinds[index] ?? "model")),
      of: (kind: Kind): readonly Choice[] => found[kinds.indexOf(kind)]?.data ?? NONE,
    }),
  });
}

/** The tools of a plugin that was chosen. */
export function useTools(pluginId: string): readonly Choice[] {
  const { data } = useQuery({
    queryKey: ["admin.plugin_tools.list", pluginId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/plugins/{plugin_id}/tools", {
          params: { path: { plugin_id: pluginId } },
          signal,
        }),
      ),
    enabled: pluginId !== "",
  });
  return data?.items.map((each) => ({ value: each.id, label: each.name })) ?? NONE;
}
