import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import type { GiveGrantBody, GrantItem, ResourceKind } from "../../api/schema";
import type { ComboboxOption } from "../../ui/combobox/options";

export type Grant = GrantItem;

const GRANTS = "admin.grants.list";

function useRefreshGrants() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [GRANTS] });
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
  const onSuccess = useRefreshGrants();
  return useMutation({
    mutationFn: (body: GiveGrantBody) => unwrap(client.PUT("/admin/v1/grants", { body })),
    onSuccess,
  });
}

export function useTake() {
  const onSuccess = useRefreshGrants();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(client.DELETE("/admin/v1/grants/{grant_id}", { params: { path: { grant_id: id } } })),
    onSuccess,
  });
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
