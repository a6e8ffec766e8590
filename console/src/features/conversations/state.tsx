import { CircleCheck, CirclePlay, CircleSlash, CircleX, Hand } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { useText } from "../../text/catalogue";
import { StateBadge } from "../../ui/state-badge/state-badge";
import type { Conversation } from "./queries";
import { conversationsText } from "./text";

type Sign = { tone: ComponentProps<typeof StateBadge>["tone"]; icon: ReactNode };

const SIGNS: Readonly<Record<Conversation["run_status"], Sign>> = {
  created: { tone: "run", icon: <CirclePlay size={14} /> },
  in_progress: { tone: "run", icon: <CirclePlay size={14} /> },
  requires_action: { tone: "wait", icon: <Hand size={14} /> },
  completed: { tone: "ok", icon: <CircleCheck size={14} /> },
  failed: { tone: "bad", icon: <CircleX size={14} /> },
  canceled: { tone: "neutral", icon: <CircleSlash size={14} /> },
};

/** What the newest run came to, or that somebody is waited for. */
export function ConversationState({ conversation }: { conversation: Conversation }) {
  const { states } = useText(conversationsText);
  const status = conversation.waits ? "requires_action" : conversation.run_status;
  return (
    <StateBadge tone={SIGNS[status].tone} icon={SIGNS[status].icon}>
      {states[status]}
    </StateBadge>
  );
}
