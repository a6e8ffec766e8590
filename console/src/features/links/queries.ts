import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { loadAgent } from "../../api/agent";
import { client, done, unwrap } from "../../api/client";
import { useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type {
  ChangeShareLinkBody,
  CreateShareLinkBody,
  ShareLinkItem,
  UsageSums,
} from "../../api/schema";

export type Link = ShareLinkItem;
export type Kind = Link["target_type"];
export type Target = { id: string; name: string; isPublished: boolean };

/** The mode of workflows that people talk to. */
const CHAT_FLOW = 3;

const LIST = "admin.share_links.list";

export function useLinks(workspaceId: string) {
  return useList<Link>({
    key: [LIST, workspaceId],
    fetch: (_, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/share-links", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
}

export function linkQuery(linkId: string) {
  return queryOptions({
    queryKey: ["admin.share_links.get", linkId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/share-links/{link_id}", {
          params: { path: { link_id: linkId } },
          signal,
        }),
      ),
  });
}

export function useCreateLink(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateShareLinkBody) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/share-links", {
          params: { path: { workspace_id: workspaceId } },
          body,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}

export function useChangeLink(linkId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangeShareLinkBody) =>
      unwrap(
        client.PATCH("/admin/v1/share-links/{link_id}", {
          params: { path: { link_id: linkId } },
          body,
        }),
      ),
    onSuccess: (saved) => {
      queries.setQueryData(linkQuery(linkId).queryKey, saved);
      return queries.invalidateQueries({ queryKey: [LIST] });
    },
  });
}

export function useDrawKey(linkId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      unwrap(
        client.POST("/admin/v1/share-links/{link_id}/key", {
          params: { path: { link_id: linkId } },
        }),
      ),
    onSuccess: ({ key: _, ...saved }) => queries.setQueryData(linkQuery(linkId).queryKey, saved),
  });
}

export function useRevokeLink() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(client.DELETE("/admin/v1/share-links/{link_id}", { params: { path: { link_id: id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: [LIST] }),
  });
}

/** What links can lead to, by kind. */
export function useTargets(workspaceId: string, kind: Kind): readonly Target[] | undefined {
  const { data } = useQuery({
    queryKey: ["links.targets", workspaceId, kind],
    queryFn: ({ signal }) => findTargets(workspaceId, kind, "", signal),
  });
  return data;
}

/** What links can lead to, and matches what was typed. */
export async function findTargets(
  workspace_id: string,
  kind: Kind,
  q: string,
  signal: AbortSignal,
): Promise<readonly Target[]> {
  const query = { limit: String(PAGE_ROWS), ...(q && { q }) };
  if (kind === "agent") {
    const { items } = await unwrap(
      client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
        params: { path: { workspace_id }, query },
        signal,
      }),
    );
    return items.map(({ id, name, is_published }) => ({ id, name, isPublished: is_published }));
  }
  const { items } = await unwrap(
    client.GET("/admin/v1/workspaces/{workspace_id}/workflows", {
      params: { path: { workspace_id }, query },
      signal,
    }),
  );
  return items
    .filter(({ mode }) => mode === CHAT_FLOW)
    .map(({ id, name, is_published }) => ({ id, name, isPublished: is_published }));
}

/** What each link was used for in the last 30 days, where one may see that. */
export function useLinkUsage(workspaceId: string, isAllowed: boolean) {
  const { data } = useQuery({
    queryKey: ["admin.usage.get", workspaceId, "share_link"],
    enabled: isAllowed,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/usage", {
          params: {
            query: { workspace_id: workspaceId, group_by: "share_link", limit: "1000" },
          },
          signal,
        }),
      ),
  });
  const sums = new Map<string, UsageSums>(
    data?.groups.map(({ values, total }) => [values["share_link"] ?? "", total]),
  );
  return { currency: data?.currency, of: (linkId: string) => sums.get(linkId) };
}

/** An agent that a link is to lead to, told by the address. */
export function useAgent(agentId: string | undefined) {
  return useQuery({
    queryKey: ["links.agent", agentId],
    queryFn: ({ signal }) => loadAgent(agentId ?? "", signal),
    enabled: agentId !== undefined,
  }).data;
}
