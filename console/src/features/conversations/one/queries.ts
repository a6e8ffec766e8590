import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../../../api/client";
import type { DataRequestItem, SupportTranscript } from "../../../api/schema";

const PAGE = "50";
/** How often it is asked how far a request for data is, while somebody waits. */
const ASK_MS = 2000;
/** Drafts are tried on this connector, and keep variables of their own. */
const EDITOR = "10000010";

export type Talk = SupportTranscript["conversation"];

/** Fetched once: each opening of somebody else's is told in the audit log. */
export function useTranscript(conversationId: string) {
  return useInfiniteQuery({
    queryKey: ["admin.support_conversations.get_transcript", conversationId],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        client.GET("/admin/v1/conversations/{conversation_id}/transcript", {
          params: {
            path: { conversation_id: conversationId },
            query: { limit: PAGE, ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function whose(talk: Talk) {
  return {
    path: { agent_id: talk.agent_id ?? "", connector_uid: talk.end_user_id },
    query: {
      connector_id: talk.connector_id,
      env: talk.connector_id === EDITOR ? "draft" : "online",
    },
  };
}

function isAbout(talk: Talk): boolean {
  return Boolean(talk.agent_id && talk.end_user_id);
}

/** What the agent keeps of the user; nothing is asked of those who may not see it. */
export function useKept(talk: Talk, isAllowed: boolean) {
  const enabled = isAllowed && isAbout(talk);
  const params = whose(talk);
  const key = [params.path, params.query];
  const variables = useQuery({
    queryKey: ["admin.user_variables.list", ...key],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/agents/{agent_id}/users/{connector_uid}/variables", {
          params,
          signal,
        }),
      ),
    enabled,
  });
  const memories = useQuery({
    queryKey: ["admin.memories.list", ...key],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/agents/{agent_id}/users/{connector_uid}/memories", {
          params,
          signal,
        }),
      ),
    enabled,
  });
  const consent = useQuery({
    queryKey: ["admin.memories.get_consent", ...key],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/agents/{agent_id}/users/{connector_uid}/memory-consent", {
          params,
          signal,
        }),
      ),
    enabled,
  });
  return {
    variables: variables.data?.items,
    memories: memories.data?.items,
    isRemembered: consent.data?.enabled ?? true,
  };
}

/** What else the user said, the newest first. */
export function useOthers(talk: Talk, limit: number) {
  const { data } = useQuery({
    queryKey: ["admin.support_conversations.list", "of", talk.workspace_id, talk.end_user_id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/conversations", {
          params: {
            path: { workspace_id: talk.workspace_id },
            query: { end_user_id: talk.end_user_id, limit: String(limit + 1) },
          },
          signal,
        }),
      ),
    enabled: talk.end_user_id !== "",
  });
  return data?.items.filter((each) => each.id !== talk.id).slice(0, limit);
}

/** Asks for the user's data, or their removal, and tells how far that is. */
export function useDataRequest(talk: Talk) {
  const asked = useMutation({
    mutationFn: (kind: DataRequestItem["kind"]) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/data-requests", {
          params: { path: { workspace_id: talk.workspace_id } },
          body: { kind, subject: { type: "end_user", id: talk.end_user_id } },
        }),
      ),
  });
  const { data } = useQuery({
    queryKey: ["admin.data_requests.get", asked.data?.id],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/data-requests/{data_request_id}", {
          params: { path: { data_request_id: asked.data?.id ?? "" } },
          signal,
        }),
      ),
    enabled: asked.data !== undefined,
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : ASK_MS),
  });
  return { asked, request: data ?? asked.data };
}

export function isOver(request: DataRequestItem): boolean {
  return request.state === "done" || request.state === "failed";
}
