import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { AdminWorkflow } from "../../api/schema";
import type { ListSearch } from "../../api/search";
import type { Mapping } from "./import/rules";

export type WorkflowRow = AdminWorkflow;

const LIST = "admin.workflows.list";
const STATES: Readonly<Record<string, string>> = {
  published: "published_online",
  draft: "unpublished_draft",
};

export function useWorkflows(
  workspaceId: string,
  { q, state, mode, order }: ListSearch<"state" | "mode" | "order">,
) {
  return useList<WorkflowRow>({
    key: [LIST, workspaceId, q, state, mode, order],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/workflows", {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              limit: String(PAGE_ROWS),
              ...(q && { q }),
              ...(state && { status: STATES[state] ?? "all" }),
              ...(mode && { mode }),
              ...(order && { order }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

export function useDeleteWorkflow() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (workflow: WorkflowRow) =>
      done(
        client.DELETE("/admin/v1/workflows/{workflow_id}", {
          params: { path: { workflow_id: workflow.id } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}

/** Deletes several at once, all or none. */
export function useDeleteWorkflows() {
  const queries = useQueryClient();
  return async (workflows: readonly { id: string }[]): Promise<void> => {
    const body = { workflow_ids: workflows.map((each) => each.id), force: false };
    await done(client.POST("/admin/v1/workflows:batch-delete", { body }));
    await queries.invalidateQueries({ queryKey: [LIST] });
  };
}

/** Undoes a deletion, which is possible for a week; it outlives the dialog that deleted. */
export function useBringBack() {
  const queries = useQueryClient();
  return async (workflowId: string): Promise<void> => {
    await unwrap(
      client.POST("/admin/v1/workflows/{workflow_id}/restore", {
        params: { path: { workflow_id: workflowId } },
      }),
    );
    await queries.invalidateQueries({ queryKey: [LIST] });
  };
}

export function useDuplicateWorkflow() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ workflow, name }: { workflow: WorkflowRow; name: string }) =>
      unwrap(
        client.POST("/admin/v1/workflows/{workflow_id}/copy", {
          params: { path: { workflow_id: workflow.id } },
          body: { name },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}

type NewWorkflow = { name: string; description: string; mode: 0 | 3 };

export function useCreateWorkflow(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (made: NewWorkflow) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/workflows", {
          params: { path: { workspace_id: workspaceId } },
          body: made,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}

type ImportFile = { text: string; name: string; mapping: Mapping };

/** Looks at files without storing anything of them. */
export function useReview(workspaceId: string) {
  return useMutation({
    mutationFn: (canvases: { name: string; text: string }[]) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/workflows:review", {
          params: { path: { workspace_id: workspaceId } },
          body: { canvases },
        }),
      ),
  });
}

/** Makes the version that other files of an import call. */
export function usePublishImported() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, version }: { id: string; version: string }) =>
      unwrap(
        client.POST("/admin/v1/workflows/{workflow_id}/publish", {
          params: { path: { workflow_id: id } },
          body: { version, force: true },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}

/** Brings canvases in, one after the other; each answers with what it found. */
export function useImportWorkflow(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ text, name, mapping }: ImportFile) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/workflows:import", {
          params: { path: { workspace_id: workspaceId } },
          body: { schema: text, name, ...(isEmpty(mapping) ? {} : { mapping }) },
        }),
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}

/** Without a mapping the canvas keeps every byte. */
function isEmpty(mapping: Mapping): boolean {
  return Object.values(mapping).every((table) => Object.keys(table).length === 0);
}
