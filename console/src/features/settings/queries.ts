import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client, done, fileForm, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import { useRefresh } from "../../api/refresh";
import type {
  CreateInvitationBody,
  MemberItem,
  RetentionBody,
  Role,
  UpdateWorkspaceBody,
  WorkspaceItem,
} from "../../api/schema";
import { SESSION_KEY } from "../../session/session";

export type Member = MemberItem;

const INVITATIONS = "admin.invitations.list";
const MEMBERS = "admin.members.list";

export function workspaceQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ["admin.workspaces.get", workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
}

function useChangeWorkspace<Change>(
  workspaceId: string,
  change: (wanted: Change) => Promise<WorkspaceItem>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (saved) => {
      queries.setQueryData(workspaceQuery(workspaceId).queryKey, saved);
      return queries.invalidateQueries({ queryKey: SESSION_KEY });
    },
  });
}

function updated(workspaceId: string, body: UpdateWorkspaceBody): Promise<WorkspaceItem> {
  const params = { path: { workspace_id: workspaceId } };
  return unwrap(client.PATCH("/admin/v1/workspaces/{workspace_id}", { params, body }));
}

export function useUpdateWorkspace(workspaceId: string) {
  return useChangeWorkspace(workspaceId, (body: UpdateWorkspaceBody) => updated(workspaceId, body));
}

/** Shows the workspace with another icon, or none. */
export function useSetIcon(workspaceId: string) {
  return useChangeWorkspace(workspaceId, (file: File | undefined) => {
    if (!file) return updated(workspaceId, { icon_url: null });
    const params = { path: { workspace_id: workspaceId } };
    return unwrap(
      client.PUT("/admin/v1/workspaces/{workspace_id}/icon", { params, ...fileForm(file) }),
    );
  });
}

export function hostsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ["admin.plugin_hosts.get", workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/plugin-hosts", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
}

export function useSetHosts(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (hosts: string[]) =>
      unwrap(
        client.PUT("/admin/v1/workspaces/{workspace_id}/plugin-hosts", {
          params: { path: { workspace_id: workspaceId } },
          body: { hosts },
        }),
      ),
    onSuccess: (saved) => queries.setQueryData(hostsQuery(workspaceId).queryKey, saved),
  });
}

export function retentionQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ["admin.retention.get", workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/retention", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
}

export function useSetRetention(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: RetentionBody) =>
      unwrap(
        client.PUT("/admin/v1/workspaces/{workspace_id}/retention", {
          params: { path: { workspace_id: workspaceId } },
          body,
        }),
      ),
    onSuccess: (saved) => queries.setQueryData(retentionQuery(workspaceId).queryKey, saved),
  });
}

/** Makes a member the owner in one's own place; one stays as an administrator. */
export function useTransfer(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (user_id: string) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/transfer", {
          params: { path: { workspace_id: workspaceId } },
          body: { user_id },
        }),
      ),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [MEMBERS] }),
        queries.invalidateQueries({ queryKey: SESSION_KEY }),
      ]),
  });
}

export function useMembers(workspaceId: string) {
  return useList<Member>({
    key: [MEMBERS, workspaceId, "pages"],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/members", {
          params: {
            path: { workspace_id: workspaceId },
            query: { limit: String(PAGE_ROWS), ...(cursor && { cursor }) },
          },
          signal,
        }),
      ),
  });
}

export type NewMember = { user_id?: string; name?: string; role: Role };

export function useAddMember(workspaceId: string) {
  const refresh = useRefresh(MEMBERS);
  return useMutation({
    mutationFn: (body: NewMember) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/members", {
          params: { path: { workspace_id: workspaceId } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function invitationsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [INVITATIONS, workspaceId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/invitations", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
}

export function useInvite(workspaceId: string) {
  const refresh = useRefresh(INVITATIONS);
  return useMutation({
    mutationFn: (body: CreateInvitationBody) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/invitations", {
          params: { path: { workspace_id: workspaceId } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useRevokeInvitation() {
  const refresh = useRefresh(INVITATIONS);
  return useMutation({
    mutationFn: (id: string) =>
      done(
        client.DELETE("/admin/v1/invitations/{invitation_id}", {
          params: { path: { invitation_id: id } },
        }),
      ),
    onSuccess: refresh,
  });
}

export function useSetRole(workspaceId: string) {
  const refresh = useRefresh(MEMBERS);
  return useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      unwrap(
        client.PATCH("/admin/v1/workspaces/{workspace_id}/members/{user_id}", {
          params: { path: { workspace_id: workspaceId, user_id: userId } },
          body: { role },
        }),
      ),
    onSuccess: refresh,
  });
}

/** Dismisses a member; oneself, too, which is leaving. */
export function useRemoveMember(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ user_id }: { user_id: string }) =>
      done(
        client.DELETE("/admin/v1/workspaces/{workspace_id}/members/{user_id}", {
          params: { path: { workspace_id: workspaceId, user_id } },
        }),
      ),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [MEMBERS] }),
        queries.invalidateQueries({ queryKey: SESSION_KEY }),
      ]),
  });
}
