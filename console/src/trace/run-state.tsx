import { CircleCheck, CirclePause, CirclePlay, CircleSlash, CircleX } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { useText } from "../text/catalogue";
import { StateBadge } from "../ui/state-badge/state-badge";
import { traceText } from "./text";

type Tone = ComponentProps<typeof StateBadge>["tone"];

const SIGNS: Readonly<Record<string, { tone: Tone; icon: ReactNode }>> = {
  completed: { tone: "ok", icon: <CircleCheck size={14} /> },
  failed: { tone: "bad", icon: <CircleX size={14} /> },
  cancelled: { tone: "neutral", icon: <CircleSlash size={14} /> },
  running: { tone: "run", icon: <CirclePlay size={14} /> },
  interrupted: { tone: "wait", icon: <CirclePause size={14} /> },
};
const UNKNOWN: { tone: Tone; icon: ReactNode } = { tone: "neutral", icon: null };

/** How a run ended, or that it waits for somebody. */
export function RunState({ status }: { status: string }) {
  const text = useText(traceText);
  const { tone, icon } = SIGNS[status] ?? UNKNOWN;
  return (
    <StateBadge tone={tone} icon={icon}>
      {text.states[status] ?? status}
    </StateBadge>
  );
}
