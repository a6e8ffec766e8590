import { MessageSquarePlus, Pin, X } from "lucide-react";
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { AdminWorkflow } from "../../api/schema";
import { graphOf } from "../../canvas/model/graph";
import { mocksFor } from "../../canvas/run/mocks";
import { useMocks } from "../../canvas/run/overlay";
import type { ChatParts } from "../../canvas/run/run-panel";
import { useCanvas } from "../../canvas/store";
import { canvasText } from "../../canvas/text";
import { Chat } from "../../chat/chat";
import { ChatSession } from "../../chat/session";
import { isOver } from "../../chat/turn";
import { useAppearance } from "../../session/appearance";
import { useText } from "../../text/catalogue";
import { IconButton } from "../../ui/button/icon-button";
import styles from "./flow-chat.module.css";
import { type Along, flowClient } from "./flow-client";

/** A conversation with a draft, which outlives the panel that shows it. */
export type Talk = { readonly session: ChatSession; along: Along | undefined };

function newTalk(workflow: AdminWorkflow, unsaved: string): Talk {
  const talk: Talk = {
    along: undefined,
    session: new ChatSession(
      flowClient(workflow.id, workflow.workspace_id, () => talk.along, unsaved),
    ),
  };
  return talk;
}

const NEVER = () => false;

type Props = { workflow: AdminWorkflow; held: RefObject<Talk | undefined>; parts: ChatParts };

/** The draft of a chat flow, talked to as its users would; each run lies over the canvas. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function FlowChat({ workflow, held, parts }: Props) {
  const text = useText(canvasText);
  const [talk] = useState(() => held.current ?? newTalk(workflow, text.saving.failed));
  const { session } = talk;
  const { parameters, onSave, onRun, onClose, switcher } = parts;
  const mocks = useMocks();
  const { sending } = useAppearance();
  const graph = useCanvas((state) => graphOf(state.root));
  const fixedCount = Object.keys(mocksFor(graph, mocks)).length;
  const [userId, setUserId] = useState(() => talk.along?.userId ?? "");
  useEffect(() => {
    held.current = talk;
    const fixed = mocksFor(graph, mocks);
    talk.along = { parameters, userId: userId.trim(), saved: onSave, mocks: fixed };
  }, [held, talk, parameters, userId, onSave, graph, mocks]);
  const { conversationId, turns } = useSyncExternalStore(session.subscribe, session.snapshot);
  const ended = turns.findLast((turn) => turn.runId && isOver(turn))?.runId;
  const shown = useRef(ended);
  useEffect(() => {
    if (!ended || !conversationId || shown.current === ended) return;
    shown.current = ended;
    onRun(conversationId);
  }, [ended, conversationId, onRun]);
  return (
    <div className={styles.panel}>
      <header className={styles.head}>
        {switcher}
        <span className={styles.rest} />
        <IconButton
          size="compact"
          label={text.run.chat.fresh}
          icon={<MessageSquarePlus size={16} />}
          onClick={() => void session.show(undefined)}
        />
        <IconButton size="compact" label={text.close} icon={<X size={16} />} onClick={onClose} />
      </header>
      <Chat
        session={session}
        audience="builder"
        showsSteps
        isConsent={NEVER}
        sendKeys={sending}
        settings={
          <span className={styles.user}>
            {fixedCount > 0 && (
              <span className={styles.fixed}>
                <Pin size={14} />
                {text.run.mock.list(fixedCount)}
              </span>
            )}
            <input
              className={styles.field}
              aria-label={text.run.chat.user}
              placeholder={text.run.chat.userHint}
              value={userId}
              onChange={(event) => setUserId(event.target.value)}
            />
          </span>
        }
      />
    </div>
  );
}
