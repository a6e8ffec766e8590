import {
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { client, done, unwrap } from "../../../api/client";
import { nothingBefore } from "../../../api/queries";
import type {
  ConditionInput,
  CreateDatabaseBody,
  PatchDatabaseBody,
  RecordList,
} from "../../../api/schema";
import { upload } from "../../../api/upload";
import { DATABASES } from "../queries";
import type { Cells, Row } from "./rules";

const DATABASE = "admin.databases.get";
const RECORDS = "admin.records.query";
const IMPORT = "admin.database_imports.get";
/** The server answers that many rows at once, and takes that many. */
const PAGE_ROWS = 100;
const MOST_ADDED = 500;
/** The live channel tells how far it is; a word of it may be lost, and the last one missed. */
const IMPORT_MS = 15_000;

type Side = "draft" | "online";
/** Whose rows are looked at, and on which side. */
export type Target = { databaseId: string; side: Side; user: string };
type Order = { field: string; isAscending: boolean };

export function databaseQuery(databaseId: string) {
  return queryOptions({
    queryKey: [DATABASE, databaseId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/databases/{database_id}", {
          params: { path: { database_id: databaseId } },
          signal,
        }),
      ),
  });
}

const at = ({ databaseId }: Target) => ({ path: { database_id: databaseId } });
const whose = ({ side, user }: Target) => ({ env: side, ...(user && { connector_uid: user }) });

type Rows = Sight & {
  target: Target;
  filter: ConditionInput | undefined;
  order: Order | undefined;
};

/** The first and the last page of which something can be seen. */
type Sight = { first: number; last: number };

/** The pages that these rows stand on. */
export function sightOf(from: number, to: number): Sight {
  const first = Math.floor(from / PAGE_ROWS);
  return { first, last: Math.max(first, Math.floor(to / PAGE_ROWS)) };
}

/** The rows that are in sight, page by page as they come into it. */
export function useRows({ target, filter, order, first, last }: Rows) {
  const pages = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const found = useQueries({
    queries: pages.map((page) => ({
      queryKey: [RECORDS, target.databaseId, target.side, target.user, filter, order, page],
      queryFn: ({ signal }: { signal: AbortSignal }): Promise<RecordList> =>
        unwrap(
          client.POST("/admin/v1/databases/{database_id}/records:query", {
            params: at(target),
            body: {
              ...whose(target),
              fields: [],
              order_by: order ? [{ field: order.field, ascending: order.isAscending }] : [],
              limit: PAGE_ROWS,
              offset: page * PAGE_ROWS,
              ...(filter && { filter }),
            },
            signal,
          }),
        ),
      placeholderData: nothingBefore,
    })),
  });
  const answered = found.find((each) => each.data);
  function rowAt(index: number): Row | undefined {
    const page = Math.floor(index / PAGE_ROWS);
    return found[page - first]?.data?.items[index % PAGE_ROWS];
  }
  return {
    total: answered?.data?.total,
    rowAt,
    error: found.find((each) => each.error)?.error ?? null,
    refetch: () => Promise.all(found.map((each) => each.refetch())),
  };
}

function useRefreshRows({ databaseId }: Target): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [RECORDS, databaseId] });
}

export function useUpdateCell(target: Target) {
  const refresh = useRefreshRows(target);
  return useMutation({
    mutationFn: ({ id, values }: { id: string; values: Cells }) =>
      unwrap(
        client.POST("/admin/v1/databases/{database_id}/records:update", {
          params: at(target),
          body: { ...whose(target), values, filter: oneOf([id]) },
        }),
      ),
    onSuccess: refresh,
  });
}

/** Adds rows, in as many calls as they need; tells how many are in after each. */
export function useInsertRows(target: Target) {
  const refresh = useRefreshRows(target);
  return useMutation({
    mutationFn: async (rows: readonly Row[]) => {
      for (let start = 0; start < rows.length; start += MOST_ADDED) {
        await unwrap(
          client.POST("/admin/v1/databases/{database_id}/records:insert", {
            params: at(target),
            body: { ...whose(target), records: rows.slice(start, start + MOST_ADDED) },
          }),
        );
      }
    },
    onSettled: refresh,
  });
}

export function useDeleteRows(target: Target) {
  const refresh = useRefreshRows(target);
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      unwrap(
        client.POST("/admin/v1/databases/{database_id}/records:delete", {
          params: at(target),
          body: { ...whose(target), filter: oneOf(ids) },
        }),
      ),
    onSuccess: refresh,
  });
}

function oneOf(ids: readonly string[]): ConditionInput {
  return { field: "id", operator: "in", value: [...ids], logic: "and" };
}

export function useRunSql(target: Target) {
  const refresh = useRefreshRows(target);
  return useMutation({
    mutationFn: (sql: string) =>
      unwrap(
        client.POST("/admin/v1/databases/{database_id}/sql", {
          params: at(target),
          body: { ...whose(target), sql },
        }),
      ),
    onSuccess: refresh,
  });
}

/** Says what the guard makes of a statement, which is not run. */
export function useExplainSql(target: Target) {
  return useMutation({
    mutationFn: (sql: string) =>
      unwrap(
        client.POST("/admin/v1/databases/{database_id}/sql:explain", {
          params: at(target),
          body: { ...whose(target), sql },
        }),
      ),
  });
}

export function usersQuery(databaseId: string) {
  return queryOptions({
    queryKey: ["admin.databases.list_references", databaseId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/databases/{database_id}/references", {
          params: { path: { database_id: databaseId } },
          signal,
        }),
      ),
  });
}

export function useCreateTable(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateDatabaseBody) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/databases", {
          params: { path: { workspace_id: workspaceId } },
          body,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [DATABASES] }),
  });
}

export function useUpdateTable(databaseId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: PatchDatabaseBody) =>
      unwrap(
        client.PATCH("/admin/v1/databases/{database_id}", {
          params: { path: { database_id: databaseId } },
          body,
        }),
      ),
    onSuccess: () =>
      Promise.all(
        [[DATABASE, databaseId], [RECORDS, databaseId], [DATABASES]].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

/** Empties the draft side. */
export function useResetDraft(databaseId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      done(
        client.POST("/admin/v1/databases/{database_id}/reset", {
          params: { path: { database_id: databaseId } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [RECORDS, databaseId] }),
  });
}

type NewPreview = { workspaceId: string; target: Target; file: File };

/** Sends a file and says what of it would fit; nothing is added. */
export function useImportPreview() {
  return useMutation({
    mutationFn: async ({ workspaceId, target, file }: NewPreview) => {
      const stored = await upload(file, file.name, {
        workspaceId,
        key: crypto.randomUUID(),
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
      const preview = await unwrap(
        client.POST("/admin/v1/databases/{database_id}/imports:preview", {
          params: at(target),
          body: { file_id: stored.id, header_row: 0 },
        }),
      );
      return { fileId: stored.id, fileName: file.name, preview };
    },
  });
}

/** Has a file that was sent read in the background. */
export function useImportFile() {
  return useMutation({
    mutationFn: ({ target, fileId }: { target: Target; fileId: string }) =>
      unwrap(
        client.POST("/admin/v1/databases/{database_id}/imports", {
          params: at(target),
          body: { ...whose(target), file_id: fileId, header_row: 0 },
        }),
      ),
  });
}

/** How far an import is; asked when the live channel tells of it, until it is over. */
export function useImport(target: Target, importId: string | undefined) {
  const refresh = useRefreshRows(target);
  return useQuery({
    queryKey: [IMPORT, target.databaseId, importId],
    queryFn: async ({ signal }) => {
      const found = await unwrap(
        client.GET("/admin/v1/databases/{database_id}/imports/{import_id}", {
          params: { path: { database_id: target.databaseId, import_id: importId ?? "" } },
          signal,
        }),
      );
      if (found.status === "done") await refresh();
      return found;
    },
    enabled: importId !== undefined,
    staleTime: 0,
    refetchInterval: ({ state }) => (isOver(state.data?.status) ? false : IMPORT_MS),
  }).data;
}

function isOver(status: string | undefined): boolean {
  return status === "done" || status === "failed";
}

/** Address of the rows of a side as a file. */
export function exportAddress({ databaseId, side, user }: Target, format: string): string {
  const query = new URLSearchParams({ side, format, ...(user && { connector_uid: user }) });
  return `/admin/v1/databases/${databaseId}/export?${query}`;
}

/** Address of a file to be filled in. */
export function templateAddress({ databaseId }: Target, format: string): string {
  return `/admin/v1/databases/${databaseId}/template?format=${format}`;
}
