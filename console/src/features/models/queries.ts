import { client, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { ModelView } from "../../api/schema";
import type { ListSearch } from "../../api/search";

export type Model = ModelView;

export function useModels({ q, type }: ListSearch<"type">) {
  return useList<Model>({
    key: ["admin.models.list", q, type],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/models", {
          params: {
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(type && { type }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}
