import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type { AuditItem, CreateUserBody, UserItem } from "../../api/schema";

export type User = UserItem;
export type AuditRow = AuditItem;

const USERS = "admin.users.list";

export function useUsers(q: string | undefined) {
  return useList<User>({
    key: [USERS, q],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/users", {
          params: {
            query: { limit: String(PAGE_ROWS), ...(q && { q }), ...(cursor && { cursor }) },
          },
          signal,
        }),
      ),
  });
}

/** Accounts by their ids, as far as one page goes. */
export function useUserNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ["admin.users.names"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/users", { params: { query: { limit: String(PAGE_ROWS) } }, signal }),
      ),
  });
  return new Map(data?.items.map((each) => [each.id, each.nickname || each.name]));
}

function useRefreshUsers() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [USERS] });
}

function linkOf(userId: string) {
  return unwrap(
    client.POST("/admin/v1/users/{user_id}/link", { params: { path: { user_id: userId } } }),
  );
}

/** Makes an account and the link by which its owner gets in. */
export function useCreateUser() {
  const refresh = useRefreshUsers();
  return useMutation({
    mutationFn: async (body: CreateUserBody) => {
      const { user } = await unwrap(client.POST("/admin/v1/users", { body }));
      return { user, url: (await linkOf(user.id)).url };
    },
    onSuccess: refresh,
  });
}

export function useLink() {
  return useMutation({
    mutationFn: async (user: User) => ({ user, url: (await linkOf(user.id)).url }),
  });
}

export function useSwitchUser() {
  const refresh = useRefreshUsers();
  return useMutation({
    mutationFn: ({ user, isDisabled }: { user: User; isDisabled: boolean }) =>
      unwrap(
        client.PATCH("/admin/v1/users/{user_id}", {
          params: { path: { user_id: user.id } },
          body: { is_disabled: isDisabled },
        }),
      ),
    onSuccess: refresh,
  });
}

export function useSignOutUser() {
  return useMutation({
    mutationFn: ({ id }: User) =>
      done(
        client.DELETE("/admin/v1/users/{user_id}/sessions", { params: { path: { user_id: id } } }),
      ),
  });
}

/** What narrows the audit log, by the names of its parameters. */
export type AuditFilter = {
  action?: string;
  actor?: string;
  resource_type?: string;
  since?: string;
};

export function useAudit(filter: AuditFilter) {
  return useList<AuditRow>({
    key: ["admin.audit_log.list", filter],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/audit-log", {
          params: { query: { limit: String(PAGE_ROWS), ...filter, ...(cursor && { cursor }) } },
          signal,
        }),
      ),
  });
}

export function auditFile(filter: AuditFilter): string {
  return `/admin/v1/audit-log/export?${new URLSearchParams({ ...filter, format: "csv" })}`;
}

export function useVerify() {
  return useMutation({
    mutationFn: () => unwrap(client.POST("/admin/v1/audit-log/verify")),
  });
}
