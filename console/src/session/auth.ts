import { queryOptions } from "@tanstack/react-query";
import { apiError } from "../api/errors";
import { transport } from "../api/transport";

export type Workspace = {
  id: string;
  name: string;
  type: string;
  role: string;
  permissions: string[];
};

export type Session = {
  user: {
    id: string;
    name: string;
    nickname: string;
    avatar_url: string;
    is_admin: boolean;
    language: string;
    zone: string;
  };
  csrf: string;
  signed_in_at: number;
  expires_at: number;
  workspaces: Workspace[];
  features: Record<string, boolean>;
  version: string;
};
export type Ways = {
  deployment: string;
  version: string;
  is_first_run: boolean;
  password: boolean;
  token: boolean;
  is_insecure: boolean;
};

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await transport(
    new Request(new URL(`/admin/v1/auth/${path}`, location.origin), {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    }),
  );
  if (!response.ok) throw apiError(response, undefined);
  return await response.json();
}
export const auth = {
  session: () => call<Session>("GET", "session"),
  ways: () => call<Ways>("GET", "ways"),
  login: (body: { name: string; password: string; remember: boolean }) =>
    call<Session>("POST", "login", body),
  token: (body: { token: string; remember: boolean }) => call<Session>("POST", "token", body),
  ticket: (body: { ticket: string; name?: string; password?: string; remember?: boolean }) =>
    call<Session>("POST", "ticket", body),
  logout: () => call<unknown>("POST", "logout"),
  stepUp: (body: { password: string }) => call<unknown>("POST", "step-up", body),
};

export const waysQuery = queryOptions({
  queryKey: ["auth.list_ways"],
  queryFn: auth.ways,
});
