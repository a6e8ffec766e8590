import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { PAGE_ROWS } from "../../api/queries";
import type { BudgetItem, ChangeBudgetBody, CreateBudgetBody } from "../../api/schema";
import { currentZone } from "../../text/zone";
import type { ComboboxOption } from "../../ui/combobox/options";
import type { Span } from "./span";

export type Budget = BudgetItem;

const BUDGETS = "admin.budgets.list";
const MOST_GROUPS = 100;

type Asked = { workspaceId: string; span: Span; groupBy: string; hasSteps: boolean };

/** Sums of a time by groups; by steps, too, where they are to be drawn. */
export function useReport({ workspaceId, span, groupBy, hasSteps }: Asked) {
  return useQuery({
    queryKey: ["admin.usage.get", workspaceId, span, groupBy, hasSteps],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/usage", {
          params: {
            query: {
              workspace_id: workspaceId,
              since: String(span.since),
              until: String(span.until),
              zone: currentZone(),
              group_by: groupBy,
              limit: String(MOST_GROUPS),
              ...(hasSteps && { interval: span.interval }),
            },
          },
          signal,
        }),
      ),
  });
}

/** What money is in, which belongs to the deployment and is told with every report. */
export function useCurrency(workspaceId: string): string | undefined {
  const { data } = useQuery({
    queryKey: ["admin.usage.get", "currency"],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/usage", {
          params: { query: { workspace_id: workspaceId, group_by: "kind", limit: "1" } },
          signal,
        }),
      ),
  });
  return data?.currency;
}

/** Where all calls of a time are, as a file. */
export function entriesFile(workspaceId: string, { since, until }: Span): string {
  const query = new URLSearchParams({
    workspace_id: workspaceId,
    since: String(since),
    until: String(until),
    format: "csv",
  });
  return `/admin/v1/usage/entries?${query}`;
}

export function useBudgets(workspaceId: string) {
  return useQuery({
    queryKey: [BUDGETS, workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/budgets", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
}

function useRefreshBudgets() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [BUDGETS] });
}

export function useCreateBudget(workspaceId: string) {
  const refresh = useRefreshBudgets();
  return useMutation({
    mutationFn: (body: CreateBudgetBody) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/budgets", {
          params: { path: { workspace_id: workspaceId } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useChangeBudget() {
  const refresh = useRefreshBudgets();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: ChangeBudgetBody }) =>
      unwrap(
        client.PATCH("/admin/v1/budgets/{budget_id}", {
          params: { path: { budget_id: id } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useDeleteBudget() {
  const refresh = useRefreshBudgets();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(client.DELETE("/admin/v1/budgets/{budget_id}", { params: { path: { budget_id: id } } })),
    onSuccess: refresh,
  });
}

/** Kinds of things that are told by their ids, and where their names are. */
const NAMED = ["agent", "workflow", "base", "app", "token", "share_link", "member"] as const;
export type Named = (typeof NAMED)[number];

type Source = (workspaceId: string, signal: AbortSignal) => Promise<readonly ComboboxOption[]>;

const query = { limit: String(PAGE_ROWS) };

const SOURCES: Readonly<Record<Named, Source>> = {
  agent: async (workspace_id, signal) =>
    options(
      await unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
          params: { path: { workspace_id }, query },
          signal,
        }),
      ),
    ),
  workflow: async (workspace_id, signal) =>
    options(
      await unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/workflows", {
          params: { path: { workspace_id }, query },
          signal,
        }),
      ),
    ),
  base: async (workspace_id, signal) =>
    options(
      await unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/datasets", {
          params: { path: { workspace_id }, query },
          signal,
        }),
      ),
    ),
  app: async (workspace_id, signal) =>
    options(
      await unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/apps", {
          params: { path: { workspace_id }, query },
          signal,
        }),
      ),
    ),
  token: async (_, signal) =>
    options(await unwrap(client.GET("/admin/v1/tokens", { params: { query }, signal }))),
  share_link: async (workspace_id, signal) => {
    const { items } = await unwrap(
      client.GET("/admin/v1/workspaces/{workspace_id}/share-links", {
        params: { path: { workspace_id } },
        signal,
      }),
    );
    return items.map(({ id, settings }) => ({ value: id, label: settings.name }));
  },
  member: async (workspace_id, signal) => {
    const { items } = await unwrap(
      client.GET("/admin/v1/workspaces/{workspace_id}/members", {
        params: { path: { workspace_id }, query },
        signal,
      }),
    );
    return items.map((each) => ({ value: each.user_id, label: each.nickname || each.name }));
  },
};

function options({ items }: { items: readonly { id: string; name: string }[] }) {
  return items.map(({ id, name }) => ({ value: id, label: name }));
}

export function isNamed(dimension: string): dimension is Named {
  const known: readonly string[] = NAMED;
  return known.includes(dimension);
}

/** What there is of a kind, by name; asked for where it is wanted. */
export function useThings(workspaceId: string, kind: Named | undefined) {
  const { data } = useQuery({
    queryKey: ["usage.names", workspaceId, kind],
    enabled: kind !== undefined,
    queryFn: ({ signal }) => (kind ? SOURCES[kind](workspaceId, signal) : []),
  });
  return kind ? data : undefined;
}
