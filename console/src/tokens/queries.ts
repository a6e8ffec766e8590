import { queryOptions, useMutation } from "@tanstack/react-query";
import { client, done, unwrap } from "../api/client";
import { useList } from "../api/list";
import { PAGE_ROWS } from "../api/queries";
import { useRefresh } from "../api/refresh";
import type {
  CreateServiceTokenBody,
  CreateTokenBody,
  ServiceTokenItem,
  TokenItem,
} from "../api/schema";

export type Token = TokenItem;
export type ServiceToken = ServiceTokenItem;

const TOKENS = "admin.tokens.list";
const SERVICES = "admin.service_tokens.list";

/** An agent that a new token can be tried with. */
export function sampleAgentQuery(workspaceId: string) {
  return queryOptions({
    queryKey: ["admin.agents.list", workspaceId, "published", 1],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/agents", {
          params: { path: { workspace_id: workspaceId }, query: { limit: "1", published: "true" } },
          signal,
        }),
      ),
  });
}

export function useTokens() {
  return useList<Token>({
    key: [TOKENS],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/tokens", {
          params: { query: { limit: String(PAGE_ROWS), ...(cursor && { cursor }) } },
          signal,
        }),
      ),
  });
}

export function useCreateToken() {
  const refresh = useRefresh(TOKENS);
  return useMutation({
    mutationFn: (body: CreateTokenBody) => unwrap(client.POST("/admin/v1/tokens", { body })),
    onSuccess: refresh,
  });
}

export function useRevokeToken() {
  const refresh = useRefresh(TOKENS);
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(client.DELETE("/admin/v1/tokens/{token_id}", { params: { path: { token_id: id } } })),
    onSuccess: refresh,
  });
}

export function useServiceTokens(workspaceId: string) {
  return useList<ServiceToken>({
    key: [SERVICES, workspaceId],
    fetch: (_, signal) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/service-tokens", {
          params: { path: { workspace_id: workspaceId } },
          signal,
        }),
      ),
  });
}

export function useCreateServiceToken(workspaceId: string) {
  const refresh = useRefresh(SERVICES);
  return useMutation({
    mutationFn: (body: CreateServiceTokenBody) =>
      unwrap(
        client.POST("/admin/v1/workspaces/{workspace_id}/service-tokens", {
          params: { path: { workspace_id: workspaceId } },
          body,
        }),
      ),
    onSuccess: refresh,
  });
}

export function useRotateServiceToken() {
  const refresh = useRefresh(SERVICES);
  return useMutation({
    mutationFn: ({ id, overlapS }: { id: string; overlapS: number }) =>
      unwrap(
        client.POST("/admin/v1/service-tokens/{token_id}/rotate", {
          params: { path: { token_id: id } },
          body: { overlap_s: overlapS },
        }),
      ),
    onSuccess: refresh,
  });
}

export function useRevokeServiceToken() {
  const refresh = useRefresh(SERVICES);
  return useMutation({
    mutationFn: ({ id }: { id: string }) =>
      done(
        client.DELETE("/admin/v1/service-tokens/{token_id}", {
          params: { path: { token_id: id } },
        }),
      ),
    onSuccess: refresh,
  });
}
