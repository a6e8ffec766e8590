import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type {
  AuditItem,
  CreateOidcProviderBody,
  CreateUserBody,
  OAuthAppOverviewItem,
  OidcProviderItem,
  UserItem,
  WorkspaceLimits,
  WorkspaceOverview,
} from "../../api/schema";
import type { ComboboxOption } from "../../ui/combobox/options";

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

const WORKSPACES = "admin.workspaces.list_all";

export type WorkspaceRow = WorkspaceOverview;

export function useWorkspaces(q: string | undefined) {
  return useList<WorkspaceRow>({
    key: [WORKSPACES, q],
    fetch: async (cursor, signal) => {
      const { items, next_cursor } = await unwrap(
        client.GET("/admin/v1/workspaces:all", {
          params: {
            query: { limit: String(PAGE_ROWS), ...(q && { q }), ...(cursor && { cursor }) },
          },
          signal,
        }),
      );
      return { items, next_cursor };
    },
  });
}

/** Closes or opens a workspace, gives it limits of its own, deletes it, or brings it back. */
export function useChangeWorkspace() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...change }: WorkspaceChange): Promise<unknown> => {
      const params = { path: { workspace_id: id } };
      if ("deleted" in change) {
        return done(client.DELETE("/admin/v1/workspaces/{workspace_id}", { params }));
      }
      return unwrap(
        "restored" in change
          ? client.POST("/admin/v1/workspaces/{workspace_id}/restore", { params })
          : client.PATCH("/admin/v1/workspaces/{workspace_id}", { params, body: change }),
      );
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [WORKSPACES] }),
  });
}

type WorkspaceChange = { id: string } & (
  | { suspended: boolean }
  | { limits: WorkspaceLimits }
  | { restored: true }
  | { deleted: true }
);

const APPS = "admin.oauth_apps.list_all";

export type AppRow = OAuthAppOverviewItem;

export function useAllApps(q: string | undefined) {
  return useList<AppRow>({
    key: [APPS, q],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/oauth-apps", {
          params: {
            query: { limit: String(PAGE_ROWS), ...(q && { q }), ...(cursor && { cursor }) },
          },
          signal,
        }),
      ),
  });
}

/** Lets an application in no more, or in again, or removes it. */
export function useChangeAnyApp() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, change }: { id: string; change: "disable" | "enable" | "remove" }) => {
      const params = { path: { app_id: id } };
      return change === "remove"
        ? done(client.DELETE("/admin/v1/oauth-apps/{app_id}", { params }))
        : done(
            client.PATCH("/admin/v1/oauth-apps/{app_id}", {
              params,
              body: { disabled: change === "disable" },
            }),
          );
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [APPS] }),
  });
}

const PROVIDERS = "admin.oidc_providers.list";

export type Provider = OidcProviderItem;

export function useProviders() {
  return useList<Provider>({
    key: [PROVIDERS],
    fetch: (_, signal) => unwrap(client.GET("/admin/v1/oidc-providers", { signal })),
  });
}

/** Adds a provider, or changes one. */
export function useSaveProvider(id: string | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateOidcProviderBody) =>
      unwrap<Provider>(
        id === undefined
          ? client.POST("/admin/v1/oidc-providers", { body })
          : client.PATCH("/admin/v1/oidc-providers/{provider_id}", {
              params: { path: { provider_id: id } },
              body: changesOf(body),
            }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [PROVIDERS] }),
  });
}

/** What is left out stays: a secret that nobody typed is kept. */
function changesOf({ client_secret, scopes, roles, ...rest }: CreateOidcProviderBody) {
  return {
    ...rest,
    ...(client_secret && { client_secret }),
    ...(scopes && { scopes }),
    ...(roles && { roles }),
  };
}

export function useDeleteProvider() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(
        client.DELETE("/admin/v1/oidc-providers/{provider_id}", {
          params: { path: { provider_id: id } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [PROVIDERS] }),
  });
}

/** Asks a provider what it says of itself now. */
export function useTryProvider() {
  return useMutation({
    mutationFn: async (provider: Provider) => ({
      provider,
      said: await unwrap(
        client.POST("/admin/v1/oidc-providers/{provider_id}/try", {
          params: { path: { provider_id: provider.id } },
        }),
      ),
    }),
  });
}

/** Workspaces of the deployment whose names have what was typed. */
export async function findWorkspaces(
  q: string,
  signal: AbortSignal,
): Promise<readonly ComboboxOption[]> {
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces:all", {
      params: { query: { limit: "50", ...(q && { q }) } },
      signal,
    }),
  );
  return items.map((each) => ({ value: each.id, label: each.name, note: each.id }));
}
