import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../../api/client";
import { PAGE_ROWS } from "../../api/queries";
import { loadCanvas, put } from "../saving";

/** What the address says for the draft. */
export const DRAFT = "draft";

export function useVersions(workflowId: string) {
  return useInfiniteQuery({
    queryKey: ["admin.workflows.list_versions", workflowId],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        client.GET("/admin/v1/workflows/{workflow_id}/versions", {
          params: {
            path: { workflow_id: workflowId },
            query: { limit: String(PAGE_ROWS), ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
  });
}

/** The text of the draft or of a version, and the workflow that it is of. */
export function useCanvasText(workflowId: string, version: string | undefined) {
  const isDraft = version === DRAFT;
  return useQuery({
    queryKey: ["admin.workflows.export", workflowId, version],
    queryFn: ({ signal }) => loadCanvas(workflowId, isDraft ? "" : (version ?? ""), signal),
    enabled: version !== undefined,
    staleTime: isDraft ? 0 : Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

/** Makes a version the draft; answers with what takes it back. */
export function useRestore(workflowId: string) {
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ["admin.workflows.export", workflowId, DRAFT] }),
      queries.invalidateQueries({ queryKey: ["admin.workflows.get", workflowId] }),
      queries.invalidateQueries({ queryKey: ["admin.workflows.list"] }),
    ]);
  return useMutation({
    mutationFn: async (version: string) => {
      const before = await loadCanvas(workflowId, "");
      const restored = await unwrap(
        client.POST("/admin/v1/workflows/{workflow_id}/versions/{version_label}/restore", {
          params: { path: { workflow_id: workflowId, version_label: version } },
        }),
      );
      return async () => {
        await put(workflowId, before.text, restored.revision);
        await refresh();
      };
    },
    onSuccess: refresh,
  });
}
