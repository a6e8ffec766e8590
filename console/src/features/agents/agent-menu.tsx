import { CopyPlus, Pencil } from "lucide-react";
import { useText } from "../../text/catalogue";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem } from "../../ui/menu/menu";
import { toast } from "../../ui/toast/toasts";
import type { Asked } from "./agent-dialogs";
import { type Agent, useDuplicateAgent } from "./queries";
import { agentsText } from "./text";

type Props = { agent: Agent; canWrite: boolean; onAsk: (asked: Asked) => void };

/** What can be done with an agent of the list. */
export function AgentMenu({ agent, canWrite, onAsk }: Props) {
  const text = useText(agentsText);
  const duplicate = useDuplicateAgent();
  function copy(): void {
    const name = text.duplicateName(agent.name);
    duplicate.mutate(
      { agent, name },
      {
        onSuccess: () => toast(text.duplicated(name)),
        onError: () => toast(text.failed(agent.name)),
      },
    );
  }
  return (
    <RowMenu
      name={agent.name}
      id={agent.id}
      onDelete={canWrite ? () => onAsk({ kind: "delete", agent }) : undefined}
    >
      {canWrite && (
        <>
          <MenuItem
            icon={<Pencil size={16} />}
            shortcut="e"
            onSelect={() => onAsk({ kind: "edit", agent })}
          >
            {text.edit}
          </MenuItem>
          <MenuItem icon={<CopyPlus size={16} />} onSelect={copy}>
            {text.duplicate}
          </MenuItem>
        </>
      )}
    </RowMenu>
  );
}
