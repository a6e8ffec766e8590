import type { QueryClient } from "@tanstack/react-query";
import { keepSession } from "../api/transport";
import { auth, DOOR, type Session } from "./auth";
import { knownSession, SESSION_KEY } from "./session";

/** What the person is asked for over the page: to sign in again, or the password once more. */
export type Question = "sign-in" | "step-up";

type Asked = { question: Question; answers: ((isMended: boolean) => void)[] };

let asked: Asked | undefined;
const listeners = new Set<() => void>();
const channel = new BroadcastChannel("coterie-session");
const SIGNED_OUT = "signed-out";

export function currentQuestion(): Question | undefined {
  return asked?.question;
}

export function onQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Ends the question: requests that wait are repeated, or fail. */
export function answer(isMended: boolean): void {
  const waiting = asked?.answers ?? [];
  asked = undefined;
  for (const resolve of waiting) resolve(isMended);
  for (const listener of listeners) listener();
}

function ask(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    if (asked?.question === question) asked.answers.push(resolve);
    else asked = { question, answers: [...(asked?.answers ?? []), resolve] };
    for (const listener of listeners) listener();
  });
}

/** Gives requests their CSRF value, and asks the person where a request cannot go on alone. */
export function beginKeeping(queries: QueryClient): void {
  keepSession({
    csrf: () => knownSession(queries)?.csrf ?? "",
    renew: async () => {
      await queries.fetchQuery({ queryKey: SESSION_KEY, queryFn: auth.session, staleTime: 0 });
    },
    signInAgain: () => (knownSession(queries) ? ask("sign-in") : Promise.resolve(false)),
    stepUp: () => ask("step-up"),
  });
  channel.addEventListener("message", (event) => {
    if (event.data === SIGNED_OUT) leave(queries);
  });
}

/** Keeps a session that has just begun; what another person saw is forgotten. */
export function enter(queries: QueryClient, session: Session): void {
  if (knownSession(queries)?.user.id !== session.user.id) queries.clear();
  queries.setQueryData(SESSION_KEY, session);
}

/** Ends the session here and in all tabs. */
export async function signOut(queries: QueryClient): Promise<void> {
  const next = await auth.logout();
  channel.postMessage(SIGNED_OUT);
  leave(queries, next);
}

/** Forgets what the session has brought, and goes to the door by a fresh page. */
function leave(queries: QueryClient, next: string = DOOR): void {
  queries.clear();
  sessionStorage.clear();
  // Of no use before: it is not part of what every page waits for.
  void import("./recovery")
    .then(({ endRecovery }) => endRecovery())
    .finally(() => location.assign(next));
}
