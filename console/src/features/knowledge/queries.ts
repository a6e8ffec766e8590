import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { AdminDataset } from "../../api/schema";
import type { ListSearch } from "../../api/search";
import type { ComboboxOption } from "../../ui/combobox/options";

export type Base = AdminDataset;

export function useBases(workspaceId: string, { q, kind, state }: ListSearch<"kind" | "state">) {
  return useList<Base>({
    key: ["admin.datasets.list", workspaceId, q, kind, state],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/datasets", {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(kind && { format_type: kind }),
              ...(state && { state }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

/** Bases of a workspace that match what was typed, as a field offers them. */
export async function findBases(
  workspaceId: string,
  q: string,
  signal: AbortSignal,
  kind?: number,
): Promise<readonly ComboboxOption[]> {
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces/{workspace_id}/datasets", {
      params: {
        path: { workspace_id: workspaceId },
        query: {
          limit: "50",
          ...(q && { q }),
          ...(kind !== undefined && { format_type: String(kind) }),
        },
      },
      signal,
    }),
  );
  return items.map((base) => ({ value: base.id, label: base.name, note: base.description }));
}

export function useCreateBase(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; description: string; format_type: number }) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/datasets", {
          params: {
            path: { workspace_id: workspaceId },
            header: { "Idempotency-Key": crypto.randomUUID() },
          },
          body,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["admin.datasets.list"] }),
  });
}

export function useDeleteBase() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(
        client.DELETE("/admin/v1/datasets/{dataset_id}", { params: { path: { dataset_id: id } } }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["admin.datasets.list"] }),
  });
}
