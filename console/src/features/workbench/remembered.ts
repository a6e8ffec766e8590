import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { EDITOR } from "./queries";

/** Drafts keep values of their own. */
const QUERY = { connector_id: EDITOR, env: "draft" };
const USERS = "50";

/** People of whom the draft keeps something, and whose name has what was typed. */
export async function findUsers(agentId: string, q: string, signal: AbortSignal) {
  const { items } = await unwrap(
    client.GET("/admin/v1/agents/{agent_id}/users", {
      params: {
        path: { agent_id: agentId },
        query: { env: "draft", limit: USERS, ...(q && { q }) },
      },
      signal,
    }),
  );
  return items;
}

/** What is kept of one person, and how it is changed. */
export function useRemembered(agentId: string, userId: string) {
  const queries = useQueryClient();
  const path = { agent_id: agentId, connector_uid: userId };
  const params = { path, query: QUERY };
  const key = ["workbench.remembered", agentId, userId];
  const onSuccess = () => queries.invalidateQueries({ queryKey: key });
  const variables = useQuery({
    queryKey: [...key, "variables"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/agents/{agent_id}/users/{connector_uid}/variables", {
          params,
          signal,
        }),
      ),
  });
  const memories = useQuery({
    queryKey: [...key, "memories"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/agents/{agent_id}/users/{connector_uid}/memories", {
          params,
          signal,
        }),
      ),
  });
  const setValue = useMutation({
    mutationFn: (item: { keyword: string; value: string }) =>
      unwrap(
        client.PUT("/admin/v1/agents/{agent_id}/users/{connector_uid}/variables", {
          params,
          body: { items: [item] },
        }),
      ),
    onSuccess,
  });
  const reset = useMutation({
    mutationFn: (keyword: string) =>
      done(
        client.DELETE("/admin/v1/agents/{agent_id}/users/{connector_uid}/variables", {
          params: { path, query: { ...QUERY, keywords: keyword } },
        }),
      ),
    onSuccess,
  });
  const rewrite = useMutation({
    mutationFn: ({ id, text }: { id: string; text: string }) =>
      unwrap(
        client.PATCH("/admin/v1/agents/{agent_id}/users/{connector_uid}/memories/{memory_id}", {
          params: { path: { ...path, memory_id: id }, query: QUERY },
          body: { text },
        }),
      ),
    onSuccess,
  });
  const forget = useMutation({
    mutationFn: (id: string) =>
      done(
        client.DELETE("/admin/v1/agents/{agent_id}/users/{connector_uid}/memories/{memory_id}", {
          params: { path: { ...path, memory_id: id }, query: QUERY },
        }),
      ),
    onSuccess,
  });
  const forgetAll = useMutation({
    mutationFn: () =>
      done(client.DELETE("/admin/v1/agents/{agent_id}/users/{connector_uid}/memories", { params })),
    onSuccess,
  });
  return { variables, memories, setValue, reset, rewrite, forget, forgetAll };
}
