import { type QueryClient, queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { auth, type Session, type Workspace } from "./auth";

export type { Session, Workspace };
export type Permission = Workspace["permissions"][number];

export const SESSION_KEY = ["session"] as const;

/** Who is signed in; told by the server, kept until it says otherwise. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: auth.session,
  staleTime: 5 * 60_000,
  gcTime: Number.POSITIVE_INFINITY,
});

export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

/** The session as far as it is known; nothing is asked. */
export function knownSession(queries: QueryClient): Session | undefined {
  return queries.getQueryData<Session>(SESSION_KEY);
}

export function useWorkspace(id: string): Workspace | undefined {
  return useSession().workspaces.find((each) => each.id === id);
}

/** Whether a workspace lets its member do something; the server decides all the same. */
export function may(workspace: Workspace | undefined, permission: Permission): boolean {
  return workspace?.permissions.includes(permission) ?? false;
}
