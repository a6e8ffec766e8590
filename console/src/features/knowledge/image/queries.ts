import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../../../api/client";
import { useList } from "../../../api/list";
import { nothingBefore, PAGE_ROWS } from "../../../api/queries";
import type { AdminImage } from "../../../api/schema";
import { IMAGES, useRefreshBase } from "../base/queries";

export type Image = AdminImage;

const IMAGE = "admin.documents.get_image";

/** The pictures of a base, all of them or only those with or without a caption. */
export function useImages(
  baseId: string,
  { q, caption }: { q: string | undefined; caption: string | undefined },
) {
  return useList<Image>({
    key: [IMAGES, baseId, q, caption],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/datasets/{dataset_id}/images", {
          params: {
            path: { dataset_id: baseId },
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(caption && { has_caption: String(caption === "with") }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

/** A picture in some state of its document. */
export function imageQuery(documentId: string, status: number) {
  return queryOptions({
    queryKey: [IMAGE, documentId, status],
    placeholderData: nothingBefore,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/documents/{document_id}/image", {
          params: { path: { document_id: documentId } },
          signal,
        }),
      ),
  });
}

export function useSetCaption(baseId: string) {
  const queries = useQueryClient();
  const refresh = useRefreshBase(baseId);
  return useMutation({
    mutationFn: ({ id, caption }: { id: string; caption: string }) =>
      unwrap(
        client.PUT("/admin/v1/documents/{document_id}/caption", {
          params: { path: { document_id: id } },
          body: { caption },
        }),
      ),
    onSuccess: () => Promise.all([refresh(), queries.invalidateQueries({ queryKey: [IMAGE] })]),
  });
}

/** Asks a model what a picture shows, and saves nothing. */
export function useProposeCaption() {
  return useMutation({
    mutationFn: (id: string) =>
      unwrap(
        client.POST("/admin/v1/documents/{document_id}/caption:extract", {
          params: { path: { document_id: id } },
        }),
      ),
  });
}
