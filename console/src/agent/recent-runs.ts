import { useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";
import type { AdminTraceFigures } from "../api/schema";

const HOUR_S = 3600;
const WEEK_S = 7 * 24 * HOUR_S;
/** As many groups as one answer can have. */
const MOST_GROUPS = 50;

/** Runs of the last seven days of one agent, version or other group. */
export type RecentRuns = (key: string) => AdminTraceFigures | undefined;

/** What did not run at all. */
const NONE: AdminTraceFigures = {
  runs: 0,
  errors: 0,
  duration_p50_us: 0,
  duration_p95_us: 0,
  first_token_p50_ms: null,
  first_token_p95_ms: null,
  input_tokens: 0,
  output_tokens: 0,
  cost: "0",
};

/** Runs of the last seven days by agent, or of one agent by version; nothing of what is not known. */
export function useRecentRuns(
  workspaceId: string,
  isWanted: boolean,
  agentId?: string,
): RecentRuns {
  const until = Math.ceil(Date.now() / 1000 / HOUR_S) * HOUR_S;
  const query = {
    workspace_id: [workspaceId],
    ...(agentId && { agent_id: agentId }),
    since: String(until - WEEK_S),
    until: String(until),
    group_by: agentId ? "version" : "agent",
    limit: String(MOST_GROUPS),
  };
  const { data } = useQuery({
    queryKey: ["admin.trace_stats.get", query],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/trace-stats", { params: { query }, signal })),
    enabled: isWanted,
  });
  return (key) => {
    const found = data?.items.find((each) => each.key === key)?.total;
    // Those with most runs come first: beyond the last one there may be more.
    return found ?? (data && data.items.length < MOST_GROUPS ? NONE : undefined);
  };
}
