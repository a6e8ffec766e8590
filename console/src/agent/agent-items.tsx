import { CopyPlus, Download, LayoutTemplate } from "lucide-react";
import { useText } from "../text/catalogue";
import { MenuItem } from "../ui/menu/menu";
import { toast } from "../ui/toast/toasts";
import type { AskedOfAgent } from "./agent-dialogs";
import { exportAgent, type KnownAgent, markTemplate, useRefreshAgents } from "./queries";
import { agentText } from "./text";

type Props = { agent: KnownAgent; canWrite: boolean; onAsk: (asked: AskedOfAgent) => void };

/** Entries of a menu for what is done with an agent as a whole. */
export function AgentItems({ agent, canWrite, onAsk }: Props) {
  const text = useText(agentText);
  const refresh = useRefreshAgents();
  const isTemplate = typeof agent.template_category === "string";
  /** Goes on although the menu is gone by then. */
  async function unmark(): Promise<void> {
    try {
      await markTemplate(agent, undefined);
      toast(text.unmarked(agent.name));
      await refresh();
    } catch {
      toast(text.failed(agent.name));
    }
  }
  return (
    <>
      {canWrite && (
        <MenuItem
          icon={<CopyPlus size={16} />}
          onSelect={() => onAsk({ kind: "duplicate", agent })}
        >
          {text.duplicate}
        </MenuItem>
      )}
      <MenuItem
        icon={<Download size={16} />}
        onSelect={() => void exportAgent(agent).catch(() => toast(text.exportFailed(agent.name)))}
      >
        {text.export}
      </MenuItem>
      {canWrite && (
        <MenuItem
          icon={<LayoutTemplate size={16} />}
          onSelect={isTemplate ? () => void unmark() : () => onAsk({ kind: "template", agent })}
        >
          {isTemplate ? text.noTemplate : text.template}
        </MenuItem>
      )}
    </>
  );
}
