import { useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { AdminListedTrace } from "../../api/schema";
import type { ListSearch } from "../../api/search";
import type { Range } from "./range";

export type Run = AdminListedTrace;
/** What the address of the list may say; ranges are `least-most`, either of them left out. */
export const FILTERS = [
  "time",
  "state",
  "agent",
  "workflow",
  "source",
  "duration",
  "feedback",
  "model",
  "tool",
  "tag",
  "cost",
  "version",
  "user",
  "conversation",
  "error",
  "sort",
] as const;
/** Stands in the address for what was not published: runs of it name no version. */
export const DRAFT = "draft";
export type Filter = (typeof FILTERS)[number];
export type RunSearch = ListSearch<Filter>;

const LIST = "admin.traces.list";
/** How often it is asked whether more ran, where the live channel does not tell. */
const FRESH_MS = 10_000;
export const MOST_FRESH = 50;

function ends(range: string | undefined): { least?: string; most?: string } {
  const [least, most] = (range ?? "").split("-");
  return { ...(least && { least }), ...(most && { most }) };
}

/** What both the list and the chart above it ask for. */
export function asked(workspaceId: string, search: RunSearch, { since, until }: Range) {
  const took = ends(search.duration);
  const cost = ends(search.cost);
  return {
    workspace_id: [workspaceId],
    since: String(since),
    ...(until && { until: String(until) }),
    ...(search.state && { status: search.state }),
    ...(search.agent && { agent_id: search.agent }),
    ...(search.workflow && { workflow_id: search.workflow }),
    ...(search.source && { source: search.source }),
    ...(search.model && { model: search.model }),
    ...(search.tool && { tool: search.tool }),
    ...(search.tag && { tag: search.tag }),
    ...(search.version && { version: search.version === DRAFT ? "" : search.version }),
    ...(search.user && { end_user_id: search.user }),
    ...(search.conversation && { conversation_id: search.conversation }),
    ...(search.error && { error_code: search.error }),
    ...(search.feedback && { feedback: search.feedback }),
    ...(took.least && { min_duration_ms: took.least }),
    ...(took.most && { max_duration_ms: took.most }),
    ...(cost.least && { min_cost: cost.least }),
    ...(cost.most && { max_cost: cost.most }),
  };
}

/** Runs that match; their questions take longer and come only where they are shown. */
export function useRuns(
  workspaceId: string,
  search: RunSearch,
  range: Range,
  withQuestions: boolean,
) {
  const query = asked(workspaceId, search, range);
  const { q, sort } = search;
  return useList<Run>({
    key: [LIST, query, q, sort, withQuestions],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/traces", {
          params: {
            query: {
              ...query,
              limit: String(PAGE_ROWS),
              ...(withQuestions && { questions: "true" }),
              ...(q && { q }),
              ...(sort && { sort }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

/**
 * How many runs began after those that are shown; not asked while nobody looks. Only who may read
 * traces is told of runs.
 */
export function useFresh(
  workspaceId: string,
  search: RunSearch,
  range: Range,
  /** What is listed; nothing until that is known. */
  listed: readonly Run[] | undefined,
  isTold: boolean,
): number {
  const newest = listed?.[0];
  const query = {
    ...asked(workspaceId, search, range),
    ...(newest && { since: String(newest.started_at) }),
  };
  const isAsked = listed !== undefined && !search.q && !search.sort && range.until === undefined;
  const { data } = useQuery({
    queryKey: ["runs.fresh", query],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/traces", {
          params: { query: { ...query, limit: String(MOST_FRESH) } },
          signal,
        }),
      ),
    enabled: isAsked,
    refetchInterval: isTold ? false : FRESH_MS,
    staleTime: FRESH_MS,
  });
  const place = data?.items.findIndex((each) => each.run_id === newest?.run_id) ?? 0;
  return isAsked && data ? (place < 0 ? data.items.length : place) : 0;
}
