import { queryOptions, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { client, done, unwrap } from "../../../api/client";
import { useList } from "../../../api/list";
import { nothingBefore, PAGE_ROWS } from "../../../api/queries";
import type {
  AdminBlock,
  AdminPage,
  AdminSlice,
  AdminWord,
  PatchSliceBody,
} from "../../../api/schema";
import type { PageOwner } from "./page-source";

export type Slice = AdminSlice;
export type SliceChange = PatchSliceBody;
export type Block = AdminBlock;
export type DocumentPage = AdminPage;
export type PageWord = AdminWord;

const SLICES = "admin.slices.list";
const DOCUMENT = "admin.documents.get";
/** How often a document is asked for while it or a slice of it is being indexed. */
export const WORKING_MS = 2000;

export function documentQuery(documentId: string) {
  return queryOptions({
    queryKey: [DOCUMENT, documentId],
    placeholderData: nothingBefore,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/documents/{document_id}", {
          params: { path: { document_id: documentId } },
          signal,
        }),
      ),
  });
}

/** Slices in order; asked for anew when the state of their document is another one. */
export function useSlices(documentId: string, status: number, q: string | undefined) {
  return useList<Slice>({
    key: [SLICES, documentId, status, q],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/documents/{document_id}/slices", {
          params: {
            path: { document_id: documentId },
            query: { limit: String(PAGE_ROWS), ...(q && { q }), ...(cursor && { cursor }) },
          },
          signal,
        }),
      ),
  });
}

const PENDING = 0;

/** Asks again while a slice waits to be indexed. */
export function useFollowSlices(documentId: string, slices: readonly Slice[]): void {
  const queries = useQueryClient();
  const isWaiting = slices.some((slice) => slice.status === PENDING);
  useEffect(() => {
    if (!isWaiting) return;
    const refresh = () => void queries.invalidateQueries({ queryKey: [SLICES, documentId] });
    const timer = setInterval(refresh, WORKING_MS);
    return () => clearInterval(timer);
  }, [isWaiting, queries, documentId]);
}

/** Asks again for a document and its slices. */
function useRefreshDocument(documentId: string): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [SLICES, DOCUMENT].map((name) => queries.invalidateQueries({ queryKey: [name, documentId] })),
    );
}

export function pagesQuery(documentId: string, status: number, isReady: boolean) {
  return queryOptions({
    queryKey: ["admin.documents.list_pages", documentId, status],
    enabled: isReady,
    placeholderData: nothingBefore,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/documents/{document_id}/pages", {
          params: { path: { document_id: documentId } },
          signal,
        }),
      ),
  });
}

/** So many pages are asked for their words at a time: hits of the first ones show meanwhile. */
const PAGES_AT_ONCE = 8;

/** The words of all pages with their places, one batch after the other once they are wanted. */
export function usePageWords(owner: PageOwner, pages: readonly DocumentPage[], isWanted: boolean) {
  const readable = pages.filter((page) => page.has_text);
  const query = useInfiniteQuery({
    queryKey: ["page_text", owner],
    enabled: isWanted,
    // Words of a reading stay what they are; another reading has another number.
    staleTime: Number.POSITIVE_INFINITY,
    initialPageParam: 0,
    queryFn: ({ pageParam: start, signal }) =>
      Promise.all(
        readable.slice(start, start + PAGES_AT_ONCE).map(async ({ number }) => {
          const { items } = await wordsOf(owner, String(number), signal);
          return { number, words: items };
        }),
      ),
    getNextPageParam: (_last, batches) => {
      const start = batches.length * PAGES_AT_ONCE;
      return start < readable.length ? start : undefined;
    },
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query;
  const goesOn = isWanted && hasNextPage && !isFetching && !error;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, fetchNextPage]);
  const read = useMemo(() => data?.pages.flat() ?? [], [data]);
  return { read, isSearching: isWanted && !error && (isFetching || hasNextPage), error };
}

function wordsOf({ kind, id }: PageOwner, number: string, signal: AbortSignal) {
  switch (kind) {
    case "document":
      return unwrap(
        client.GET("/admin/v1/documents/{document_id}/pages/{number}/text", {
          params: { path: { document_id: id, number } },
          signal,
        }),
      );
    case "preview":
      return unwrap(
        client.GET("/admin/v1/previews/{preview_id}/pages/{number}/text", {
          params: { path: { preview_id: id, number } },
          signal,
        }),
      );
  }
}

/** What was read of a document in some state, as much of it as was scrolled to. */
export function useReading(documentId: string, status: number) {
  return useList<Block>({
    key: ["admin.documents.get_reading", documentId, status],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/documents/{document_id}/reading", {
          params: { path: { document_id: documentId }, query: { ...(cursor && { cursor }) } },
          signal,
        }),
      ),
  });
}

type Shaping = { id: string } & ({ what: "merge" | "reset" } | { what: "split"; at: number });

/** Splits a slice, joins it with the next, or sets it back. */
export function useShapeSlice(documentId: string) {
  const refresh = useRefreshDocument(documentId);
  return useMutation({
    mutationFn: (change: Shaping) => {
      const params = { path: { slice_id: change.id } };
      switch (change.what) {
        case "split":
          return unwrap(
            client.POST("/admin/v1/slices/{slice_id}/split", { params, body: { at: change.at } }),
          );
        case "merge":
          return unwrap(client.POST("/admin/v1/slices/{slice_id}/merge", { params }));
        case "reset":
          return unwrap(client.POST("/admin/v1/slices/{slice_id}/reset", { params }));
      }
    },
    onSuccess: refresh,
  });
}

export function useEditSlice(documentId: string) {
  const refresh = useRefreshDocument(documentId);
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string } & SliceChange) =>
      unwrap(
        client.PATCH("/admin/v1/slices/{slice_id}", {
          params: { path: { slice_id: id } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useAddSlice(documentId: string) {
  const refresh = useRefreshDocument(documentId);
  return useMutation({
    mutationFn: (body: { content: string; sequence?: number }) =>
      unwrap(
        client.POST("/admin/v1/documents/{document_id}/slices", {
          params: { path: { document_id: documentId } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useDeleteSlice(documentId: string) {
  const refresh = useRefreshDocument(documentId);
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(client.DELETE("/admin/v1/slices/{slice_id}", { params: { path: { slice_id: id } } })),
    onSuccess: refresh,
  });
}
