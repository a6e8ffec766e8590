import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { client, unwrap } from "./client";
import { PAGE_ROWS } from "./queries";

/** People of a workspace, to say who made what. */
export function membersQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ["admin.members.list", workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/members", {
          params: { path: { workspace_id: workspaceId }, query: { limit: String(PAGE_ROWS) } },
          signal,
        }),
      ),
  });
}

/** Names of the people of a workspace by their ids; empty for those who left. */
export function useMemberNames(workspaceId: string): (userId: string) => string {
  const { data } = useQuery(membersQuery(workspaceId));
  return useMemo(() => {
    const names = new Map(data?.items.map((each) => [each.user_id, each.nickname || each.name]));
    return (userId: string) => names.get(userId) ?? "";
  }, [data]);
}
