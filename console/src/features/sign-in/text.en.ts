import { plural } from "../../text/formats";

/** Why a provider's sign-in came to nothing, by the word in the address. */
const NOT_SIGNED_IN: Record<string, string> = {
  expired: "That took too long, or began in another browser. Try again.",
  failed: "The answer of the provider could not be used. Ask your administrator.",
  unreachable: "The provider does not answer. Try again in a while.",
  "no-account": "There is no account for you here. Ask your administrator.",
  disabled: "Your account is disabled. Ask your administrator.",
  taken:
    "An account with your e-mail address exists already, and is not linked with this provider. Ask your administrator.",
};

export const text = {
  title: "Sign in",
  to: (deployment: string) => `Sign in to ${deployment}`,
  name: "Name or e-mail",
  password: "Password",
  token: "Access token",
  tokenHint: "A personal token without limits. It is exchanged for a session and forgotten here.",
  remember: "Stay signed in on this device for 30 days",
  submit: "Sign in",
  useToken: "Use an access token",
  usePassword: "Use name and password",
  wrong: "Name or password is wrong.",
  wrongToken: "The token is wrong, expired, or limited to less than everything.",
  tooMany: (seconds: number) =>
    `Too many tries. Wait ${plural(Math.ceil(seconds / 60), { one: "# minute", other: "# minutes" })}.`,
  firstRun: "Nobody has set a password yet.",
  firstRunHow: "Open the link that the server printed at its start. Another one comes from:",
  notSignedIn: (reason: string) =>
    NOT_SIGNED_IN[reason] ?? "You were not signed in. Try again, or sign in another way.",
  refused: "You cannot sign in over this connection",
  refusedWhy:
    "It is plain HTTP, and everybody on the way could read along. Put a reverse proxy with TLS in front, or, in a closed network, set console.allow_http = true.",
};

export type Text = typeof text;
