import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../api/client";
import { useList } from "../api/list";
import { PAGE_ROWS } from "../api/queries";
import type { GroupItem } from "../api/schema";
import type { ComboboxOption } from "../ui/combobox/options";

export type Group = GroupItem;

const GROUPS = "admin.groups.list";
const GROUP = "admin.groups.get";

/** Groups of a workspace, or without one of the deployment. */
export function useGroups(workspaceId: string | undefined) {
  return useList<Group>({
    key: [GROUPS, workspaceId],
    fetch: (cursor, signal) => {
      const query = { limit: String(PAGE_ROWS), ...(cursor && { cursor }) };
      return unwrap(
        workspaceId === undefined
          ? client.GET("/admin/v1/groups", { params: { query }, signal })
          : client.GET("/admin/v1/workspaces/{workspace_id}/groups", {
              params: { path: { workspace_id: workspaceId }, query },
              signal,
            }),
      );
    },
  });
}

export function groupQuery(groupId: string) {
  return queryOptions({
    queryKey: [GROUP, groupId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/groups/{group_id}", {
          params: { path: { group_id: groupId } },
          signal,
        }),
      ),
  });
}

function useRefreshGroups() {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [GROUPS, GROUP, "admin.grants.list"].map((key) =>
        queries.invalidateQueries({ queryKey: [key] }),
      ),
    );
}

/** Makes a group, or gives one another name. */
export function useNameGroup(workspaceId: string | undefined, groupId: string | undefined) {
  const onSuccess = useRefreshGroups();
  return useMutation({
    mutationFn: (name: string) =>
      unwrap<Group>(
        groupId !== undefined
          ? client.PATCH("/admin/v1/groups/{group_id}", {
              params: { path: { group_id: groupId } },
              body: { name },
            })
          : workspaceId === undefined
            ? client.POST("/admin/v1/groups", { body: { name } })
            : client.POST("/admin/v1/workspaces/{workspace_id}/groups", {
                params: { path: { workspace_id: workspaceId } },
                body: { name },
              }),
      ),
    onSuccess,
  });
}

export function useDeleteGroup() {
  const onSuccess = useRefreshGroups();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(client.DELETE("/admin/v1/groups/{group_id}", { params: { path: { group_id: id } } })),
    onSuccess,
  });
}

/** Lets an account into a group, or takes it out. */
export function useChangeGroup(groupId: string) {
  const onSuccess = useRefreshGroups();
  return useMutation({
    mutationFn: ({ userId, isIn }: { userId: string; isIn: boolean }) => {
      const params = { path: { group_id: groupId, user_id: userId } };
      return done(
        isIn
          ? client.PUT("/admin/v1/groups/{group_id}/members/{user_id}", { params })
          : client.DELETE("/admin/v1/groups/{group_id}/members/{user_id}", { params }),
      );
    },
    onSuccess,
  });
}

/** Members of a workspace as those to choose from; a team is never so large that they go on. */
export async function findMembers(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces/{workspace_id}/members", {
      params: { path: { workspace_id: workspaceId }, query: { limit: "100" } },
      signal,
    }),
  );
  const wanted = q.toLowerCase();
  return items
    .map((each) => ({ value: each.user_id, label: each.nickname || each.name, note: each.name }))
    .filter(({ label, note }) => `${label} ${note}`.toLowerCase().includes(wanted));
}

/** Accounts of the deployment that match what was typed; for its administrators. */
export async function findAccounts(
  q: string,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const { items } = await unwrap(
    client.GET("/admin/v1/users", {
      params: { query: { limit: "50", ...(q && { q }) } },
      signal,
    }),
  );
  return items.map((each) => ({
    value: each.id,
    label: each.nickname || each.name,
    note: each.name,
    isDisabled: each.is_disabled,
  }));
}
