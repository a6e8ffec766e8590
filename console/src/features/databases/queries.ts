import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { AdminDatabase } from "../../api/schema";

export type DatabaseRow = AdminDatabase;

/** Key of all lists of databases. */
export const DATABASES = "admin.databases.list";

export function useDatabases(workspaceId: string, q: string | undefined) {
  return useList<DatabaseRow>({
    key: [DATABASES, workspaceId, q],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/databases", {
          params: {
            path: { workspace_id: workspaceId },
            query: { limit: String(PAGE_ROWS), ...(q && { q }), ...(cursor && { cursor }) },
          },
          signal,
        }),
      ),
  });
}

export function useDeleteDatabase() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (database: DatabaseRow) =>
      done(
        client.DELETE("/admin/v1/databases/{database_id}", {
          params: { path: { database_id: database.id } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [DATABASES] }),
  });
}
