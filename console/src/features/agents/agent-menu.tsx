import { Pencil } from "lucide-react";
import { AgentItems } from "../../agent/agent-items";
import { useText } from "../../text/catalogue";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem } from "../../ui/menu/menu";
import type { Asked } from "./agents";
import type { Agent } from "./queries";
import { agentsText } from "./text";

type Props = { agent: Agent; canWrite: boolean; onAsk: (asked: Asked) => void };

/** What can be done with an agent of the list. */
export function AgentMenu({ agent, canWrite, onAsk }: Props) {
  const text = useText(agentsText);
  return (
    <RowMenu
      name={agent.name}
      id={agent.id}
      onDelete={canWrite ? () => onAsk({ kind: "delete", agent }) : undefined}
    >
      {canWrite && (
        <MenuItem
          icon={<Pencil size={16} />}
          shortcut="e"
          onSelect={() => onAsk({ kind: "edit", agent })}
        >
          {text.edit}
        </MenuItem>
      )}
      <AgentItems agent={agent} canWrite={canWrite} onAsk={onAsk} />
    </RowMenu>
  );
}
