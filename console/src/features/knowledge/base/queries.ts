import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { client, unwrap } from "../../../api/client";
import { useList } from "../../../api/list";
import { PAGE_ROWS } from "../../../api/queries";
import type { AdminDocument, AdminProgress, BatchBody } from "../../../api/schema";
import type { ListSearch } from "../../../api/search";

export type Document = AdminDocument;
export type Progress = AdminProgress;
export type DocumentFilters = ListSearch<"state" | "type" | "source" | "tag" | "sort" | "order">;
export type Batch = BatchBody;

const DOCUMENTS = "admin.documents.list";
const DOCUMENT = "admin.documents.get";
export const IMAGES = "admin.datasets.list_images";
const BASE = "admin.datasets.get";
const PROGRESS = "admin.datasets.get_progress";
/** The live channel tells of progress; a word of it may be lost, and the last one would be missed. */
const PROGRESS_MS = 15_000;

export function baseQuery(baseId: string) {
  return queryOptions({
    queryKey: [BASE, baseId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/datasets/{dataset_id}", {
          params: { path: { dataset_id: baseId } },
          signal,
        }),
      ),
  });
}

export function useDocuments(baseId: string, filters: DocumentFilters) {
  const { q, state, type, source, tag, sort, order } = filters;
  return useList<Document>({
    key: [DOCUMENTS, baseId, q, state, type, source, tag, sort, order],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/datasets/{dataset_id}/documents", {
          params: {
            path: { dataset_id: baseId },
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(state && { state }),
              ...(type && { type }),
              ...(source && { source }),
              ...(tag && { tag }),
              ...(sort && { sort }),
              ...(order && { order }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

/** What is in work; the lists are asked again when something of it is done. */
export function useProgress(baseId: string) {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: [PROGRESS, baseId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/datasets/{dataset_id}/progress", {
          params: { path: { dataset_id: baseId } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => ((state.data?.total ?? 0) > 0 ? PROGRESS_MS : false),
    staleTime: 0,
  });
  const before = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const now = new Set(data?.items.map((item) => item.document_id));
    const isSomethingDone = [...before.current].some((id) => !now.has(id));
    before.current = now;
    if (!isSomethingDone) return;
    for (const name of [DOCUMENTS, IMAGES, BASE])
      void queries.invalidateQueries({ queryKey: [name, baseId] });
  }, [data, queries, baseId]);
  return new Map(data?.items.map((item) => [item.document_id, item]));
}

/** Asks again for all that is known of a base. */
export function useRefreshBase(baseId: string): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [
        [DOCUMENTS, baseId],
        [IMAGES, baseId],
        [DOCUMENT],
        [BASE, baseId],
        [PROGRESS, baseId],
        ["admin.datasets.list"],
      ].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
}

export function useBatch(baseId: string) {
  const refresh = useRefreshBase(baseId);
  return useMutation({
    mutationFn: (body: Batch) =>
      unwrap(
        client.POST("/admin/v1/datasets/{dataset_id}/documents:batch", {
          params: { path: { dataset_id: baseId } },
          body,
        }),
      ),
    // Not waited for: who chose the documents is done with them now, and may choose others meanwhile.
    onSuccess: () => void refresh(),
  });
}

export function useUpdateDocument(baseId: string) {
  const refresh = useRefreshBase(baseId);
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; name?: string; enabled?: boolean }) =>
      unwrap(
        client.PATCH("/admin/v1/documents/{document_id}", {
          params: { path: { document_id: id } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

type BaseChange = { name?: string; description?: string; enabled?: boolean };

export function useUpdateBase(baseId: string) {
  const refresh = useRefreshBase(baseId);
  return useMutation({
    mutationFn: (body: BaseChange) =>
      unwrap(
        client.PATCH("/admin/v1/datasets/{dataset_id}", {
          params: { path: { dataset_id: baseId } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useRebuild(baseId: string) {
  const refresh = useRefreshBase(baseId);
  return useMutation({
    mutationFn: (embeddingModel: string | undefined) =>
      unwrap(
        client.POST("/admin/v1/datasets/{dataset_id}/reindex", {
          params: { path: { dataset_id: baseId } },
          body: embeddingModel === undefined ? {} : { embedding_model: embeddingModel },
        }),
      ),
    onSuccess: refresh,
  });
}

export function useReconcile(baseId: string) {
  const refresh = useRefreshBase(baseId);
  return useMutation({
    mutationFn: () =>
      unwrap(
        client.POST("/admin/v1/datasets/{dataset_id}/reconcile", {
          params: { path: { dataset_id: baseId } },
        }),
      ),
    onSuccess: refresh,
  });
}

export function useCopyBase(baseId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      unwrap(
        client.POST("/admin/v1/datasets/{dataset_id}/copy", {
          params: {
            path: { dataset_id: baseId },
            header: { "Idempotency-Key": crypto.randomUUID() },
          },
          body: { name },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["admin.datasets.list"] }),
  });
}

export function referencesQuery(baseId: string) {
  return queryOptions({
    queryKey: ["admin.datasets.list_references", baseId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/datasets/{dataset_id}/references", {
          params: { path: { dataset_id: baseId } },
          signal,
        }),
      ),
  });
}
