import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, fileForm, unwrap } from "../../api/client";
import { SESSION_KEY } from "../../session/session";

/** Where the account is signed in, the latest first. */
export const sessionsQuery = queryOptions({
  queryKey: ["auth.list_sessions"],
  queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/auth/sessions", { signal })),
});

/** One's own account, with what the session does not tell. */
export const meQuery = queryOptions({
  queryKey: ["auth.get_me"],
  queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/auth/me", { signal })),
});

function useRefresh(key: readonly unknown[]): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: key });
}

/** Signs one browser out, or all others. */
export function useEndSession() {
  const refresh = useRefresh(sessionsQuery.queryKey);
  return useMutation({
    mutationFn: (sessionId: string | undefined) =>
      sessionId === undefined
        ? done(client.DELETE("/admin/v1/auth/sessions"))
        : done(
            client.DELETE("/admin/v1/auth/sessions/{session_id}", {
              params: { path: { session_id: sessionId } },
            }),
          ),
    onSuccess: refresh,
  });
}

export function useSaveName() {
  const refresh = useRefresh(SESSION_KEY);
  return useMutation({
    mutationFn: (nickname: string) =>
      unwrap(client.PATCH("/admin/v1/auth/me", { body: { nickname } })),
    onSuccess: refresh,
  });
}

/** Shows another picture to others, or none. */
export function useSetPicture() {
  const refresh = useRefresh(SESSION_KEY);
  return useMutation({
    mutationFn: (file: File | undefined) => {
      if (!file) return unwrap(client.DELETE("/admin/v1/auth/me/avatar"));
      return unwrap(client.PUT("/admin/v1/auth/me/avatar", fileForm(file)));
    },
    onSuccess: refresh,
  });
}

export function useChangePassword() {
  const refresh = useRefresh(sessionsQuery.queryKey);
  return useMutation({
    mutationFn: (body: { password: string; current: string | null }) =>
      done(client.PUT("/admin/v1/auth/password", { body })),
    onSuccess: refresh,
  });
}
