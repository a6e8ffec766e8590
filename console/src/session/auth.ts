import { queryOptions } from "@tanstack/react-query";
import { client, done, unwrap } from "../api/client";
import type { SessionAnswer, SessionWorkspace, SpendTicketBody } from "../api/schema";

export type Session = SessionAnswer;
export type Workspace = SessionWorkspace;

/** What sessions begin, go on and end with. */
export const auth = {
  session: () => unwrap(client.GET("/admin/v1/auth/session")),
  login: (body: { name: string; password: string; remember: boolean }) =>
    unwrap(client.POST("/admin/v1/auth/login", { body })),
  token: (body: { token: string; remember: boolean }) =>
    unwrap(client.POST("/admin/v1/auth/token", { body })),
  ticket: (body: SpendTicketBody) => unwrap(client.POST("/admin/v1/auth/ticket", { body })),
  logout: () => done(client.POST("/admin/v1/auth/logout")),
  confirm: (body: { password: string }) => done(client.POST("/admin/v1/auth/step-up", { body })),
};

/** How somebody can sign in here. */
export const waysQuery = queryOptions({
  queryKey: ["auth.list_ways"],
  queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/auth/ways", { signal })),
});
