import { queryOptions } from "@tanstack/react-query";
import { client, done, unwrap } from "../api/client";
import { apiError } from "../api/errors";
import type { SessionAnswer, SessionWorkspace, SpendTicketBody } from "../api/schema";
import { chooseZone } from "../text/zone";

/** The page on which a session begins. */
export const DOOR = "/console/sign-in";

export type Session = SessionAnswer;
export type Workspace = SessionWorkspace;

/** Shows times from now on as whoever is signed in wants them. */
async function begun(answer: Promise<Session>): Promise<Session> {
  const session = await answer;
  chooseZone(session.user.zone);
  return session;
}

/** What sessions begin, go on and end with. */
export const auth = {
  session: () => begun(unwrap(client.GET("/admin/v1/auth/session"))),
  login: (body: { name: string; password: string; remember: boolean }) =>
    begun(unwrap(client.POST("/admin/v1/auth/login", { body }))),
  token: (body: { token: string; remember: boolean }) =>
    begun(unwrap(client.POST("/admin/v1/auth/token", { body }))),
  ticket: (body: SpendTicketBody) => begun(unwrap(client.POST("/admin/v1/auth/ticket", { body }))),
  /** Answers where to go on: to the provider of the sign-in, which signs out as well. */
  logout: async () => {
    const { error, response } = await client.POST("/admin/v1/auth/logout");
    if (!response.ok) throw apiError(response, error);
    return response.headers.get("Location") ?? DOOR;
  },
  confirm: (body: { password: string }) => done(client.POST("/admin/v1/auth/step-up", { body })),
};

/** Where a provider signs somebody in who then goes on at an address of the console. */
export function providerAddress(id: string, returnTo: string, confirm = false): string {
  const query = new URLSearchParams({ return_to: returnTo, ...(confirm && { confirm: "true" }) });
  return `/admin/v1/auth/oidc/${encodeURIComponent(id)}/start?${query}`;
}

/** How somebody can sign in here. */
export const waysQuery = queryOptions({
  queryKey: ["auth.list_ways"],
  queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/auth/ways", { signal })),
});
