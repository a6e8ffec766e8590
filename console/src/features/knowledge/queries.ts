import { client, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { AdminDataset } from "../../api/schema";
import type { ListSearch } from "../../api/search";

export type Base = AdminDataset;

export function useBases(workspaceId: string, { q, kind }: ListSearch<"kind">) {
  return useList<Base>({
    key: ["admin.datasets.list", workspaceId, q, kind],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/datasets", {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(kind && { format_type: kind }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}
