import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import type {
  AdminTraceSettingsBody,
  ChangeOAuthAppBody,
  CreateOAuthAppBody,
  OAuthAppCreated,
  OAuthAppItem,
} from "../../api/schema";

export type App = OAuthAppItem;

const APPS = "admin.oauth_apps.list";

export function useApps(workspaceId: string) {
  return useList<App>({
    key: [APPS, workspaceId],
    fetch: (_, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/oauth-apps", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
}

function useRefreshApps() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [APPS] });
}

export function useCreateApp(workspaceId: string) {
  const onSuccess = useRefreshApps();
  return useMutation({
    mutationFn: (body: CreateOAuthAppBody) =>
      unwrap<OAuthAppCreated>(
        client.POST("/admin/v1/workspaces/{workspace_id}/oauth-apps", {
          params: { path: { workspace_id: workspaceId } },
          body,
        }),
      ),
    onSuccess,
  });
}

export function useChangeApp() {
  const onSuccess = useRefreshApps();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: ChangeOAuthAppBody }) =>
      unwrap<App>(
        client.PATCH("/admin/v1/oauth-apps/{app_id}", {
          params: { path: { app_id: id } },
          body,
        }),
      ),
    onSuccess,
  });
}

/** Another secret for an application; the former is useless at once. */
export function useResetSecret() {
  const onSuccess = useRefreshApps();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      unwrap<OAuthAppCreated>(
        client.POST("/admin/v1/oauth-apps/{app_id}/secret", { params: { path: { app_id: id } } }),
      ),
    onSuccess,
  });
}

export function useDeleteApp() {
  const onSuccess = useRefreshApps();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(client.DELETE("/admin/v1/oauth-apps/{app_id}", { params: { path: { app_id: id } } })),
    onSuccess,
  });
}

export function captureQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ["admin.trace_settings.get", workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/trace-settings", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
}

export function useSetCapture(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: AdminTraceSettingsBody) =>
      unwrap(
        client.PUT("/admin/v1/workspaces/{workspace_id}/trace-settings", {
          params: { path: { workspace_id: workspaceId } },
          body,
        }),
      ),
    onSuccess: (saved) => queries.setQueryData(captureQuery(workspaceId).queryKey, saved),
  });
}
