import { getRouteApi } from "@tanstack/react-router";
import { ListTree, MessageSquarePlus } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Chat } from "../../chat/chat";
import { ChatSession } from "../../chat/session";
import { shortcutOf } from "../../chat/shortcuts";
import { type Call, isOver } from "../../chat/turn";
import { useAppearance } from "../../session/appearance";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { IconButton } from "../../ui/button/icon-button";
import { draftClient } from "./chat-client";
import type { Draft } from "./edits";
import { useMeasures } from "./queries";
import { useShortcuts } from "./shortcuts";
import { workbenchText } from "./text";
import { AS_IT_IS, type Trying, TryingLine, TrySettings } from "./try-settings";
import { useKeys } from "./use-keys";
import styles from "./workbench.module.css";

type Props = {
  draft: Draft;
  edition: number;
  saved: () => Promise<void>;
  onDetails: (runId: string) => void;
};

const page = getRouteApi("/shell/w/$workspaceId/agents/$agentId");

/** The draft, asked as its users would ask it, in the conversation of the address. */
export function TryIt({ draft, edition, saved, onDetails }: Props) {
  const text = useText(workbenchText);
  const chatId = page.useSearch({ select: (search) => search.chat });
  const navigate = page.useNavigate();
  const onChat = useCallback(
    (chat: string | undefined) =>
      void navigate({ search: (old) => ({ ...old, chat }), replace: true }),
    [navigate],
  );
  const [showsSteps, setShowsSteps] = useState(true);
  const { id, workspace_id } = draft;
  const maySeeTraces = may(useWorkspace(workspace_id), "trace.read");
  const [trying, setTrying] = useState(AS_IT_IS);
  const asked = useRef(trying);
  const session = useMemo(
    () => new ChatSession(draftClient(id, workspace_id, saved, () => asked.current)),
    [id, workspace_id, saved],
  );
  session.revision = edition;
  const conversationId = useSyncExternalStore(
    session.subscribe,
    () => session.snapshot().conversationId,
  );
  const ended = useSyncExternalStore(
    session.subscribe,
    () => session.snapshot().turns.findLast((turn) => turn.runId && isOver(turn))?.runId,
  );
  const measures = useMeasures(workspace_id, maySeeTraces ? conversationId : undefined, ended);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address counts when it opens
  useEffect(() => {
    void session.show(chatId);
    return () => session.leave();
  }, [session]);
  useEffect(() => {
    if (conversationId && conversationId !== chatId) onChat(conversationId);
  }, [conversationId, chatId, onChat]);
  function begin(): void {
    onChat(undefined);
    void session.show(undefined);
  }
  function change(next: Trying): void {
    asked.current = next;
    setTrying(next);
    // A conversation belongs to one person.
    if (next.userId !== trying.userId) begin();
  }
  useKeys({
    "mod+.": () => void session.stop(),
    "mod+shift+d": () => maySeeTraces && ended && onDetails(ended),
  });
  const sent = useShortcuts(id);
  const shortcuts = useMemo(() => sent?.map(shortcutOf), [sent]);
  const { sending } = useAppearance();
  const { client_tools: tools } = draft;
  const isConsent = useCallback(
    (call: Call) => !tools?.some((tool) => tool.name === call.name),
    [tools],
  );
  return (
    <>
      <header className={styles.paneHead}>
        <h2>{text.tryIt}</h2>
        <span className={styles.paneTools}>
          <TrySettings draft={draft} trying={trying} onChange={change} />
          <IconButton
            size="compact"
            label={showsSteps ? text.chat.hideSteps : text.chat.steps}
            aria-pressed={showsSteps}
            icon={<ListTree size={16} />}
            onClick={() => setShowsSteps(!showsSteps)}
          />
          <IconButton
            size="compact"
            label={text.chat.fresh}
            icon={<MessageSquarePlus size={16} />}
            onClick={begin}
          />
        </span>
      </header>
      <Chat
        session={session}
        audience="builder"
        welcome={draft.onboarding.prologue ?? undefined}
        suggestions={draft.onboarding.suggested_questions ?? undefined}
        showsSteps={showsSteps}
        isConsent={isConsent}
        onDetails={maySeeTraces ? onDetails : undefined}
        measures={measures}
        shortcuts={shortcuts}
        sendKeys={sending}
        settings={<TryingLine trying={trying} draft={draft} />}
      />
    </>
  );
}
