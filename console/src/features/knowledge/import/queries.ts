import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../../../api/client";
import { nothingBefore } from "../../../api/queries";
import type { AdminChunk, AdminPreview } from "../../../api/schema";
import {
  type Cutting,
  cuttingBody,
  type Policy,
  type Reading,
  readingBody,
  type Source,
  sourceBody,
} from "./rules";
import type { TableOrder } from "./table/use-table-draft";

export type Preview = AdminPreview;
export type Chunk = AdminChunk;

/** As many as the server takes at once. */
const AT_ONCE = 10;
const LOOK_AGAIN_MS = 400;
const PROCESSING = 0;

/** How one source would be cut, read anew for each change of the rules. */
export function usePreview(
  baseId: string,
  source: Source | undefined,
  reading: Reading,
  cutting: Cutting,
) {
  const made = useQuery<string>({
    queryKey: ["preview", baseId, source, reading, cutting],
    enabled: source !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: nothingBefore,
    queryFn: async ({ signal }) => {
      const { items } = await unwrap(
        client.POST("/admin/v1/datasets/{dataset_id}/previews", {
          params: { path: { dataset_id: baseId } },
          body: {
            document_bases: source ? [sourceBody(source)] : [],
            chunk_strategy: cuttingBody(cutting),
            parsing_strategy: readingBody(reading),
          },
          signal,
        }),
      );
      return items[0]?.id ?? "";
    },
  });
  const read = useQuery<Preview>({
    queryKey: ["admin.previews.get", made.data],
    enabled: Boolean(made.data),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: nothingBefore,
    refetchInterval: ({ state }) => (state.data?.status === PROCESSING ? LOOK_AGAIN_MS : false),
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/previews/{preview_id}", {
          params: { path: { preview_id: made.data ?? "" } },
          signal,
        }),
      ),
  });
  return { preview: read.data, error: made.error ?? read.error };
}

export function useEditPreview() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, chunks }: { id: string; chunks: readonly Chunk[] }) =>
      unwrap(
        client.PUT("/admin/v1/previews/{preview_id}", {
          params: { path: { preview_id: id } },
          body: { chunks: chunks.map((chunk) => ({ id: chunk.id, text: chunk.text })) },
        }),
      ),
    onSuccess: (preview) => queries.setQueryData(["admin.previews.get", preview.id], preview),
  });
}

type Order = {
  sources: readonly Source[];
  /** Previews that people edited, by source. */
  edited: ReadonlyMap<string, string>;
  reading: Reading;
  cutting: Cutting;
  policy: Policy;
  /** What goes with the file of a table. */
  table: TableOrder | undefined;
  /** The same for every attempt. */
  key: string;
  onTaken: (ids: readonly string[]) => void;
};

/** Takes sources in, ten at a time; what was taken in is told, so that it is not sent again. */
export function useImport(baseId: string, isText: boolean) {
  const queries = useQueryClient();
  async function taken(order: Order): Promise<number> {
    const whole = order.sources.filter((source) => !order.edited.has(source.id));
    for (let from = 0; from < whole.length; from += AT_ONCE) {
      const part = whole.slice(from, from + AT_ONCE);
      await unwrap(
        client.POST("/admin/v1/datasets/{dataset_id}/documents", {
          params: {
            path: { dataset_id: baseId },
            header: { "Idempotency-Key": `${order.key}-${part[0]?.id}` },
          },
          body: {
            document_bases: part.map((source) => ({ ...sourceBody(source), ...order.table })),
            on_duplicate: order.policy,
            ...(isText && {
              chunk_strategy: cuttingBody(order.cutting),
              parsing_strategy: readingBody(order.reading),
            }),
          },
        }),
      );
      order.onTaken(part.map((source) => source.id));
    }
    for (const [sourceId, previewId] of order.edited) {
      await unwrap(
        client.POST("/admin/v1/previews/{preview_id}/commit", {
          params: { path: { preview_id: previewId } },
        }),
      );
      order.onTaken([sourceId]);
    }
    return order.sources.length;
  }
  return useMutation({
    mutationFn: taken,
    onSettled: () =>
      Promise.all(
        ["admin.documents.list", "admin.datasets.get", "admin.datasets.get_progress"].map((name) =>
          queries.invalidateQueries({ queryKey: [name, baseId] }),
        ),
      ),
  });
}
