import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { client, unwrap } from "../api/client";

const SOME_TIME_MS = 60_000;

function useWorkspace() {
  const { workspaceId = "" } = useParams({ strict: false });
  const path = { workspace_id: workspaceId };
  return { workspaceId, params: { path, query: { limit: "100" } } };
}

/** The bases that nodes can search and write. */
export function useBases() {
  const { workspaceId, params } = useWorkspace();
  const { data } = useQuery({
    queryKey: ["admin.datasets.list", workspaceId, "canvas"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/datasets", { params, signal })),
    staleTime: SOME_TIME_MS,
  });
  return { bases: data?.items ?? [] };
}

/** The tables that nodes can read and write. */
export function useTables() {
  const { workspaceId, params } = useWorkspace();
  const { data } = useQuery({
    queryKey: ["admin.databases.list", workspaceId, "canvas"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/databases", { params, signal })),
    staleTime: SOME_TIME_MS,
  });
  return { tables: data?.items ?? [] };
}
