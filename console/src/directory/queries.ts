import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";

export const HOME = "admin.workspaces.get_home";

/** Where the person goes on in a workspace, what waits for them, how much there is. */
export function homeQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [HOME, workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/home", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
    staleTime: 0,
  });
}

/** What a part of a name, an id or a log id leads to in a workspace. */
export function findQuery(workspaceId: string, q: string) {
  return queryOptions({
    queryKey: ["admin.workspaces.find", workspaceId, q],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/find", {
          params: { path: { workspace_id: workspaceId }, query: { q } },
          signal,
        }),
      ),
    enabled: q !== "",
  });
}
