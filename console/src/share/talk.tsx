import { History as HistoryIcon, MessageSquarePlus, X } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Chat } from "../chat/chat";
import type { ChatSession } from "../chat/session";
import { shortcutOf } from "../chat/shortcuts";
import { type Turn, textOf } from "../chat/turn";
import { Written } from "../chat/written";
import { useText } from "../text/catalogue";
import { IconButton } from "../ui/button/icon-button";
import { Avatar } from "./avatar";
import type { Host } from "./host";
import type { Kept } from "./kept";
import type { SharePage } from "./page";
import styles from "./talk.module.css";
import { shareText } from "./text";
import type { Visit } from "./visit";

const History = lazy(async () => ({ default: (await import("./history")).History }));

const ALWAYS = () => true;

type Props = {
  page: SharePage;
  session: ChatSession;
  visit: Visit;
  kept: Kept;
  host: Host;
};

/** The chat itself, below its name. */
export function Talk({ page, session, visit, kept, host }: Props) {
  const text = useText(shareText);
  const { link } = page;
  const field = useRef<HTMLTextAreaElement>(null);
  const shortcuts = useMemo(() => link.shortcuts.map(shortcutOf), [link.shortcuts]);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const { conversationId, turns } = useSyncExternalStore(session.subscribe, session.snapshot);
  useTelling(turns, host);
  useEffect(() => {
    if (link.keepsHistory && conversationId) kept.set({ conversation: conversationId });
  }, [link.keepsHistory, kept, conversationId]);
  useEffect(() => {
    host.onShown = () => field.current?.focus({ preventScroll: true });
    host.onSend = (question) => void session.ask(question);
    if (host.isShown) host.onShown();
  }, [host, session]);
  function startAnew(): void {
    if (link.keepsHistory) kept.set({ conversation: "" });
    void session.show(undefined);
    field.current?.focus();
  }
  return (
    <div className={styles.talk}>
      <header className={styles.header}>
        <Avatar link={link} />
        <h1 className={styles.name} title={link.name}>
          {link.name}
        </h1>
        {link.keepsHistory && (
          <IconButton
            label={text.history}
            aria-haspopup="dialog"
            icon={<HistoryIcon size={16} />}
            onClick={() => setHistoryOpen(!isHistoryOpen)}
          />
        )}
        <IconButton
          label={text.newChat}
          icon={<MessageSquarePlus size={16} />}
          onClick={startAnew}
        />
        {host.isAround && (
          <IconButton
            label={text.close}
            icon={<X size={16} />}
            onClick={() => host.tell("close")}
          />
        )}
      </header>
      <main className={styles.main}>
        <Chat
          session={session}
          audience="visitor"
          welcome={<Welcome link={link} isEmbedded={page.isEmbedded} />}
          suggestions={link.suggestions}
          showsSteps
          isConsent={ALWAYS}
          field={field}
          shortcuts={shortcuts}
        />
      </main>
      {link.footer && <footer className={styles.footer}>{link.footer}</footer>}
      {isHistoryOpen && (
        <Suspense fallback={null}>
          <History
            visit={visit}
            current={conversationId}
            onClose={() => setHistoryOpen(false)}
            onChoose={(id) => {
              setHistoryOpen(false);
              void session.show(id);
              field.current?.focus();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

type WelcomeProps = { link: SharePage["link"]; isEmbedded: boolean };

function Welcome({ link, isEmbedded }: WelcomeProps) {
  return (
    <div className={isEmbedded ? styles.welcome : styles.opening}>
      <Avatar link={link} isLarge />
      <h2 className={styles.greeting}>{link.name}</h2>
      {link.welcome && <Written text={link.welcome} sources={[]} />}
    </div>
  );
}

/** Tells the site around of answers that end here, not of those that were here before. */
function useTelling(turns: readonly Turn[], host: Host): void {
  const known = useRef(new Map<string, Turn>());
  useEffect(() => {
    const before = known.current;
    known.current = new Map(turns.map((turn) => [turn.key, turn]));
    for (const turn of turns) {
      const old = before.get(turn.key);
      if (!old) continue;
      if (turn.answerId !== undefined && old.answerId === undefined) {
        host.tell("message", { text: textOf(turn) });
        if (!host.isShown) host.tell("unread");
      }
      if (turn.state === "failed" && old.state !== "failed")
        host.tell("error", { reason: "failed", message: turn.failed?.message ?? "" });
    }
  }, [turns, host]);
}
