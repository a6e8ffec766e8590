import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../../../api/client";
import { nothingBefore } from "../../../api/queries";
import type { AdminChunk, AdminDocumentPage, AdminPreview } from "../../../api/schema";
import type { ComboboxOption } from "../../../ui/combobox/options";
import {
  type Cutting,
  cuttingBody,
  groupsOf,
  type Policy,
  type Reading,
  readingBody,
  type Settings,
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
const PREVIEW = "admin.previews.get";

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
    queryKey: [PREVIEW, made.data],
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

/** The pages of the file of a preview; none for formats without. */
export function previewPagesQuery(previewId: string | undefined) {
  return queryOptions({
    queryKey: ["admin.previews.list_pages", previewId],
    enabled: previewId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: nothingBefore,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/previews/{preview_id}/pages", {
          params: { path: { preview_id: previewId ?? "" } },
          signal,
        }),
      ),
  });
}

/** Edits the slices of a preview, one edit after the other, each of what the one before made. */
export function useEditPreview(id: string) {
  const queries = useQueryClient();
  return useMutation({
    scope: { id: `preview ${id}` },
    mutationFn: (change: (chunks: readonly Chunk[]) => readonly Chunk[]) => {
      const known = queries.getQueryData<Preview>([PREVIEW, id]);
      const chunks = change(known?.chunks ?? []);
      return unwrap(
        client.PUT("/admin/v1/previews/{preview_id}", {
          params: { path: { preview_id: id } },
          body: { chunks: chunks.map((chunk) => ({ id: chunk.id, text: chunk.text })) },
        }),
      );
    },
    onSuccess: (preview) => queries.setQueryData([PREVIEW, id], preview),
  });
}

type Order = {
  sources: readonly Source[];
  /** Previews that people edited, by source. */
  edited: ReadonlyMap<string, string>;
  /** Of all sources that have none of their own. */
  settings: Settings;
  own: ReadonlyMap<string, Settings>;
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
  async function sent(
    order: Order,
    { reading, cutting }: Settings,
    part: readonly Source[],
  ): Promise<void> {
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
            chunk_strategy: cuttingBody(cutting),
            parsing_strategy: readingBody(reading),
          }),
        },
      }),
    );
    order.onTaken(part.map((source) => source.id));
  }
  async function taken(order: Order): Promise<number> {
    const whole = order.sources.filter((source) => !order.edited.has(source.id));
    for (const { settings, sources } of groupsOf(whole, order.own, order.settings)) {
      for (let from = 0; from < sources.length; from += AT_ONCE) {
        await sent(order, settings, sources.slice(from, from + AT_ONCE));
      }
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

/** As many as one looks through in a field. */
const OFFERED = 50;
/** As many as the server tells of at once. */
const PAGE = 100;

/** Documents of a base that match what was typed. */
export async function findDocuments(
  baseId: string,
  q: string,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const { items } = await documentsOf(baseId, { limit: String(OFFERED), ...(q && { q }) }, signal);
  return items.map(({ id, name }) => ({ value: id, label: name }));
}

/** All documents of a base, page by page. */
export function useAllDocuments() {
  return useMutation({
    mutationFn: async (baseId: string) => {
      const all: ComboboxOption[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const query = { limit: String(PAGE), ...(cursor && { cursor }) };
        const found: AdminDocumentPage = await documentsOf(baseId, query);
        all.push(...found.items.map(({ id, name }) => ({ value: id, label: name })));
        cursor = found.next_cursor;
      }
      return all;
    },
  });
}

function documentsOf(
  baseId: string,
  query: { limit: string; q?: string; cursor?: string },
  signal?: AbortSignal,
): Promise<AdminDocumentPage> {
  return unwrap(
    client.GET("/admin/v1/datasets/{dataset_id}/documents", {
      params: { path: { dataset_id: baseId }, query },
      ...(signal && { signal }),
    }),
  );
}
