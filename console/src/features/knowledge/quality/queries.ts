import { queryOptions } from "@tanstack/react-query";
import { client, unwrap } from "../../../api/client";
import { useList } from "../../../api/list";
import type { AdminDatasetHealth, AdminExaminedSlice } from "../../../api/schema";
import { figureOf } from "./figure";

export type Health = AdminDatasetHealth;
export type ExaminedSlice = AdminExaminedSlice;

const SHOWN_AT_ONCE = "20";

export function healthQuery(baseId: string) {
  return queryOptions({
    queryKey: ["admin.datasets.get_health", baseId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/datasets/{dataset_id}/health", {
          params: { path: { dataset_id: baseId } },
          signal,
        }),
      ),
  });
}

/** The slices behind a figure. */
export function useExamined(baseId: string, of: string) {
  return useList<ExaminedSlice>({
    key: ["admin.datasets.list_examined", baseId, of],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/datasets/{dataset_id}/health/slices", {
          params: {
            path: { dataset_id: baseId },
            query: { limit: SHOWN_AT_ONCE, ...figureOf(of), ...(cursor && { cursor }) },
          },
          signal,
        }),
      ),
  });
}
