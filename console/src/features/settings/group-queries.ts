import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { GiveGrantBody, GrantItem, GroupItem, ResourceKind } from "../../api/schema";
import type { ComboboxOption } from "../../ui/combobox/options";

export type Group = GroupItem;
export type Grant = GrantItem;

const GROUPS = "admin.workspace_groups.list";
const GROUP = "admin.groups.get";
const GRANTS = "admin.grants.list";

export function useGroups(workspaceId: string) {
  return useList<Group>({
    key: [GROUPS, workspaceId],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/groups", {
          params: {
            path: { workspace_id: workspaceId },
            query: { limit: String(PAGE_ROWS), ...(cursor && { cursor }) },
          },
          signal,
        }),
      ),
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
      [GROUPS, GROUP, GRANTS].map((key) => queries.invalidateQueries({ queryKey: [key] })),
    );
}

/** Makes a group, or gives one another name. */
export function useNameGroup(workspaceId: string, groupId: string | undefined) {
  const onSuccess = useRefreshGroups();
  return useMutation({
    mutationFn: (name: string) =>
      unwrap<Group>(
        groupId === undefined
          ? client.POST("/admin/v1/workspaces/{workspace_id}/groups", {
              params: { path: { workspace_id: workspaceId } },
              body: { name },
            })
          : client.PATCH("/admin/v1/groups/{group_id}", {
              params: { path: { group_id: groupId } },
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

export function grantsQuery(kind: ResourceKind, id: string) {
  return queryOptions({
    queryKey: [GRANTS, kind, id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/grants", {
          params: { query: { resource_type: kind, resource_id: id } },
          signal,
        }),
      ),
  });
}

export function useGive() {
  const onSuccess = useRefreshGroups();
  return useMutation({
    mutationFn: (body: GiveGrantBody) => unwrap(client.PUT("/admin/v1/grants", { body })),
    onSuccess,
  });
}

export function useTake() {
  const onSuccess = useRefreshGroups();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(client.DELETE("/admin/v1/grants/{grant_id}", { params: { path: { grant_id: id } } })),
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

/** Things of a kind that can be shared, by a part of their names. */
export async function findThings(
  workspaceId: string,
  kind: ResourceKind,
  q: string,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces/{workspace_id}/find", {
      params: {
        path: { workspace_id: workspaceId },
        query: { types: kind, limit: "50", ...(q && { q }) },
      },
      signal,
    }),
  );
  return items.map((each) => ({ value: each.id, label: each.name }));
}
