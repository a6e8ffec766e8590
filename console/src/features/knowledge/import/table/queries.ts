import { useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../../../../api/client";
import { nothingBefore } from "../../../../api/queries";
import type { AdminDocument, ColumnBody, TableFileBody } from "../../../../api/schema";
import { type Source, sourceBody } from "../rules";
import { type Check, type Place, type Schema, sheetBody } from "./rules";

export type TableColumn = AdminDocument["table_meta"][number];

const FAILED = 9;
/** As many as the server looks at to find the table of a base. */
const LOOKED_AT = "100";

/** The columns that the table of a base has; none before its first file is in. */
export function useTableColumns(baseId: string, isTable: boolean) {
  return useQuery<readonly TableColumn[]>({
    queryKey: ["admin.documents.list", baseId, "table"],
    enabled: isTable,
    queryFn: async ({ signal }) => {
      const { items } = await unwrap(
        client.GET("/admin/v1/datasets/{dataset_id}/documents", {
          params: { path: { dataset_id: baseId }, query: { limit: LOOKED_AT } },
          signal,
        }),
      );
      // One that failed without ever having had rows never became the table.
      const table = items.find((each) => each.slice_count > 0 || each.status !== FAILED);
      return table?.table_meta ?? [];
    },
  });
}

/** What a file looks like as a table. */
export function useTableSchema(
  baseId: string,
  source: Source | undefined,
  place: Place | undefined,
) {
  return useQuery<Schema>({
    queryKey: ["admin.datasets.infer_table_schema", baseId, source, place],
    enabled: source !== undefined && place !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: nothingBefore,
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/admin/v1/datasets/{dataset_id}/table-schema:infer", {
          params: { path: { dataset_id: baseId } },
          body: fileBody(source, place),
          signal,
        }),
      ),
  });
}

/** Whether a file fits the table of the base, or the columns that it shall get. */
export function useTableCheck(
  baseId: string,
  source: Source | undefined,
  place: Place | undefined,
  columns: readonly ColumnBody[] | undefined,
) {
  return useQuery<Check>({
    queryKey: ["admin.datasets.validate_table_schema", baseId, source, place, columns],
    enabled: source !== undefined && place !== undefined && columns !== undefined,
    placeholderData: nothingBefore,
    queryFn: ({ signal }) =>
      unwrap(
        client.POST("/admin/v1/datasets/{dataset_id}/table-schema:validate", {
          params: { path: { dataset_id: baseId } },
          body: {
            ...fileBody(source, place),
            ...(columns && { table_meta: [...columns] }),
          },
          signal,
        }),
      ),
  });
}

function fileBody(source: Source | undefined, place: Place | undefined): TableFileBody {
  return {
    source_info: (source && sourceBody(source).source_info) ?? {},
    ...(place && { table_sheet: sheetBody(place) }),
  };
}
