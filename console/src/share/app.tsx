import { useCallback, useEffect, useMemo, useState } from "react";
import { ChatSession } from "../chat/session";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { useTold } from "../ui/error-state/reasons";
import { shareClient } from "./client";
import { Gate, PasswordGate, SignInGate } from "./gates";
import { Host } from "./host";
import { Kept } from "./kept";
import { isNamed, type SharePage } from "./page";
import { isClosing, Refusal, wordsOf } from "./refusal";
import { Talk } from "./talk";
import { shareText } from "./text";
import { Visit } from "./visit";

/** What the page shows: the chat, or what has to happen before it. */
type Stage =
  | { kind: "entering" | "talking" | "password" | "sign-in" | "user" }
  | { kind: "closed" | "failed"; why: string };

/** The page of a share link: lets a visitor in, then the chat. */
export function App({ page }: { page: SharePage }) {
  const text = useText(shareText);
  const told = useTold();
  const [stage, setStage] = useState<Stage>({ kind: "entering" });
  const { visit, kept, host } = useMemo(() => parts(page), [page]);
  const session = useMemo(
    () => new ChatSession(shareClient(page, visit, text)),
    [page, visit, text],
  );
  const leave = useCallback(
    (error: Refusal) => {
      session.leave();
      setStage({ kind: "closed", why: error.message || text.closedWhy });
      host.tell("error", { reason: error.reason, message: error.message });
    },
    [host, session, text],
  );
  const begin = useCallback(async () => {
    const last = page.link.keepsHistory ? kept.values.conversation || undefined : undefined;
    await session.show(last);
    if (session.state.failure) await session.show(undefined);
    setStage({ kind: "talking" });
  }, [page, kept, session]);
  const enter = useCallback(async () => {
    try {
      if (isNamed(page) && !visit.userToken) return awaitUser();
      await visit.open();
      await begin();
    } catch (error) {
      const isAsked = error instanceof Refusal && error.status === 401;
      if (isAsked && page.link.auth === "password") {
        kept.set({ key: "" });
        setStage({ kind: "password" });
      } else if (isAsked && page.link.auth === "sign_in") setStage({ kind: "sign-in" });
      else if (isAsked && isNamed(page)) awaitUser();
      else if (isClosing(error) || (error instanceof Refusal && error.status === 403)) leave(error);
      else setStage({ kind: "failed", why: wordsOf(error, text) });
    }
    function awaitUser(): void {
      visit.userToken = "";
      setStage({ kind: "user" });
      host.tell("error", { reason: "user_token", message: text.userWhy });
    }
  }, [page, kept, visit, host, begin, leave, text]);
  useEffect(() => {
    visit.onClosed = leave;
    host.onUser = (token) => {
      visit.userToken = token;
      visit.end();
      void session.show(undefined);
      void enter();
    };
  }, [visit, host, session, leave, enter]);
  useEffect(() => {
    void host.greet().then(() => {
      visit.userToken ||= host.userToken;
      return enter();
    });
  }, [host, visit, enter]);
  const isReady = stage.kind !== "entering";
  useEffect(() => {
    if (isReady) host.tell("ready");
  }, [host, isReady]);
  useClosingKey(host);
  const gate = { page, onClose: host.isAround ? () => host.tell("close") : undefined };
  switch (stage.kind) {
    case "entering":
      return null;
    case "talking":
      return <Talk page={page} session={session} visit={visit} kept={kept} host={host} />;
    case "password":
      return (
        <PasswordGate
          {...gate}
          onEnter={async (password) => {
            await visit.open(password);
            await begin();
          }}
        />
      );
    case "sign-in":
      return <SignInGate {...gate} />;
    case "user":
      return <Gate {...gate} title={page.link.name} why={text.userWhy} />;
    case "closed":
      return <Gate {...gate} title={text.closed} why={told("", stage.why)} />;
    case "failed":
      return (
        <Gate {...gate} title={page.link.name} why={told("", stage.why)} isAlert>
          <Button size="large" isWide onClick={() => void enter()}>
            {text.again}
          </Button>
        </Gate>
      );
  }
}

function parts(page: SharePage) {
  const kept = new Kept(page.code);
  const visit = new Visit(page, kept);
  // A page that stands alone is given the token behind the #, which no server's log sees.
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (isNamed(page) && token) visit.userToken = token;
  return { kept, visit, host: new Host(page, kept) };
}

/** Esc leaves the frame, unless something in it is open. */
function useClosingKey(host: Host): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const isOpen = document.querySelector("[role=dialog]") !== null;
      if (event.key === "Escape" && !event.defaultPrevented && !isOpen) host.tell("close");
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [host]);
}
