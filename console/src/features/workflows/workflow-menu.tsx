import { Link } from "@tanstack/react-router";
import { CopyPlus, Download, GitCompareArrows } from "lucide-react";
import { useText } from "../../text/catalogue";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem, MenuLink } from "../../ui/menu/menu";
import { toast } from "../../ui/toast/toasts";
import { useDuplicateWorkflow, type WorkflowRow } from "./queries";
import { workflowsText } from "./text";

type Props = { workflow: WorkflowRow; canWrite: boolean; onDelete: () => void };

/** What can be done with a workflow of the list. */
export function WorkflowMenu({ workflow, canWrite, onDelete }: Props) {
  const text = useText(workflowsText);
  const duplicate = useDuplicateWorkflow();
  const { id, name, workspace_id: workspaceId, latest_version: latest } = workflow;
  function copy(): void {
    const copied = text.duplicateName(name);
    duplicate.mutate(
      { workflow, name: copied },
      {
        onSuccess: () => toast(text.duplicated(copied)),
        onError: () => toast(text.notDuplicated(name)),
      },
    );
  }
  return (
    <RowMenu name={name} id={id} onDelete={canWrite ? onDelete : undefined}>
      {canWrite && (
        <MenuItem icon={<CopyPlus size={16} />} onSelect={copy}>
          {text.duplicate}
        </MenuItem>
      )}
      <MenuLink
        icon={<GitCompareArrows size={16} />}
        link={
          <Link
            to="/w/$workspaceId/workflows/$workflowId/versions"
            params={{ workspaceId, workflowId: id }}
            search={latest ? { b: latest } : {}}
          />
        }
      >
        {text.versions}
      </MenuLink>
      <MenuLink
        icon={<Download size={16} />}
        link={<a href={`/admin/v1/workflows/${id}/export`} download />}
      >
        {text.exportJson}
      </MenuLink>
    </RowMenu>
  );
}
