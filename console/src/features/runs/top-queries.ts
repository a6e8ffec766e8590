import { useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../../api/client";
import { PAGE_ROWS } from "../../api/queries";
import { asked, type RunSearch } from "./queries";
import { type Interval, intervalOf, type Range } from "./range";

export function useFigures(workspaceId: string, search: RunSearch, range: Range, now: number) {
  const interval: Interval = intervalOf(range, now);
  const query = { ...asked(workspaceId, search, range), interval };
  const { data } = useQuery({
    queryKey: ["admin.trace_stats.get", query],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/trace-stats", { params: { query }, signal })),
  });
  return { series: data?.items[0], isKnown: data !== undefined, interval };
}

/** Versions, models, tools or tags that occur in runs of this time, the most used first. */
export function useOccurring(
  workspaceId: string,
  kind: "version" | "model" | "tool" | "tag",
  range: Range,
) {
  const query = {
    workspace_id: [workspaceId],
    since: String(range.since),
    ...(range.until && { until: String(range.until) }),
    group_by: kind,
    limit: "50",
  };
  const { data } = useQuery({
    queryKey: ["admin.trace_stats.get", query],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/trace-stats", { params: { query }, signal })),
  });
  return data?.items.map((each) => each.key) ?? [];
}

type Named = { id: string; name: string };

/** Agents and workflows of a workspace, to choose whose runs are shown. */
export function useSubjects(workspaceId: string): { agents: Named[]; workflows: Named[] } {
  const params = {
    path: { workspace_id: workspaceId },
    query: { limit: String(PAGE_ROWS) },
  };
  const agents = useQuery({
    queryKey: ["admin.agents.list", workspaceId, "names"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/agents", { params, signal })),
  });
  const workflows = useQuery({
    queryKey: ["admin.workflows.list", workspaceId, "names"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/workflows", { params, signal })),
  });
  return { agents: agents.data?.items ?? [], workflows: workflows.data?.items ?? [] };
}
