import { useNavigate } from "@tanstack/react-router";
import AgentDialogs from "../../agent/agent-dialogs";
import type { AdminAgent } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { NameDialog } from "../../ui/form/name-dialog";
import CodeDialog from "./code-dialog";
import type { Edits } from "./edits";
import { workbenchText } from "./text";
import type { AskedOfDraft } from "./workbench-menu";

type Props = {
  asked: AskedOfDraft;
  agent: AdminAgent;
  onEdit: (edits: Edits) => void;
  onClose: () => void;
};

/** What the menu of the header asks before it does something. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function WorkbenchDialogs({ asked, agent, onEdit, onClose }: Props) {
  const text = useText(workbenchText).naming;
  const navigate = useNavigate();
  if (asked.kind === "code") return <CodeDialog agent={agent} onClose={onClose} />;
  if (asked.kind === "name")
    return (
      <NameDialog
        title={text.title}
        verb={text.verb}
        labels={{ name: text.name, description: text.purpose, hint: text.purposeHint }}
        initial={agent}
        isPending={false}
        failure={undefined}
        onClose={onClose}
        onSubmit={(named) => {
          onEdit(named);
          onClose();
        }}
      />
    );
  return (
    <AgentDialogs
      asked={asked}
      onOpen={(workspaceId, agentId) =>
        void navigate({
          to: "/w/$workspaceId/agents/$agentId",
          params: { workspaceId, agentId },
        })
      }
      onDeleted={() =>
        void navigate({
          to: "/w/$workspaceId/agents",
          params: { workspaceId: agent.workspace_id },
        })
      }
      onClose={onClose}
    />
  );
}
