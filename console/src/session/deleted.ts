import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../api/client";
import { PAGE_ROWS } from "../api/queries";
import { SESSION_KEY } from "./session";

/** What one owned and deleted in the last seven days. */
export const deletedQuery = queryOptions({
  queryKey: ["admin.workspaces.list_deleted"],
  queryFn: ({ signal }) =>
    unwrap(
      client.GET("/admin/v1/workspaces:deleted", {
        params: { query: { limit: String(PAGE_ROWS) } },
        signal,
      }),
    ),
});

function useRefresh() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: SESSION_KEY }),
      queries.invalidateQueries({ queryKey: deletedQuery.queryKey }),
    ]);
}

export function useDeleteWorkspace() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(
        client.DELETE("/admin/v1/workspaces/{workspace_id}", {
          params: { path: { workspace_id: id } },
        }),
      ),
    onSuccess: refresh,
  });
}

/** Takes back a deletion of the last seven days. */
export function useRestoreWorkspace() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/restore", {
          params: { path: { workspace_id: id } },
        }),
      ),
    onSuccess: refresh,
  });
}
