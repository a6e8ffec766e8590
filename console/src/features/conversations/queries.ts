import { useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { SupportConversation } from "../../api/schema";
import type { ListSearch } from "../../api/search";

export type Conversation = SupportConversation;
export const FILTERS = ["time", "agent", "source", "feedback", "waits", "own", "user"] as const;
export type Filter = (typeof FILTERS)[number];
type ConversationSearch = ListSearch<Filter>;

const DAY = 24 * 3600;
const LENGTHS = { "24h": DAY, "7d": 7 * DAY, "30d": 30 * DAY, "90d": 90 * DAY, all: 0 } as const;
type Time = keyof typeof LENGTHS;
export const TIMES: readonly Time[] = ["24h", "7d", "30d", "90d", "all"];
export const USUAL: Time = "30d";

/** Seconds since 1970 from which on conversations are shown; none: all of them. */
export function sinceOf(time: string | undefined, now: number): number | undefined {
  const length = LENGTHS[TIMES.find((each) => each === time) ?? USUAL];
  return length ? now - length : undefined;
}

export function useConversations(
  workspaceId: string,
  search: ConversationSearch,
  since: number | undefined,
) {
  const query = {
    limit: String(PAGE_ROWS),
    ...(since && { since: String(since) }),
    ...(search.q && { q: search.q }),
    ...(search.agent && { agent_id: search.agent }),
    ...(search.source && { source: search.source }),
    ...(search.feedback && { feedback: search.feedback }),
    ...(search.waits && { waits: "true" }),
    ...(search.own && { own: "true" }),
    ...(search.user && { end_user_id: search.user }),
  };
  return useList<Conversation>({
    key: ["admin.support_conversations.list", workspaceId, query],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/conversations", {
          params: {
            path: { workspace_id: workspaceId },
            query: { ...query, ...(cursor && { cursor }) },
          },
          signal,
        }),
      ),
  });
}

/** Names of the agents of a workspace by their ids. */
export function useAgents(workspaceId: string): readonly { id: string; name: string }[] {
  const { data } = useQuery({
    queryKey: ["admin.agents.list", workspaceId, "names"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
          params: { path: { workspace_id: workspaceId }, query: { limit: String(PAGE_ROWS) } },
          signal,
        }),
      ),
  });
  return data?.items ?? [];
}
