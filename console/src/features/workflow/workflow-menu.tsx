import { Link } from "@tanstack/react-router";
import { Download, Ellipsis, GitCompareArrows } from "lucide-react";
import type { AdminWorkflow } from "../../api/schema";
import { loadCanvas } from "../../canvas/saving";
import { canvasText } from "../../canvas/text";
import { useText } from "../../text/catalogue";
import { IconButton } from "../../ui/button/icon-button";
import { saveAs } from "../../ui/file/save-as";
import { Menu, MenuItem, MenuLink } from "../../ui/menu/menu";

/** What is done with a workflow less often. */
export function WorkflowMenu({ workflow }: { workflow: AdminWorkflow }) {
  const text = useText(canvasText);
  return (
    <Menu align="end" trigger={<IconButton label={text.more} icon={<Ellipsis size={16} />} />}>
      <MenuLink
        icon={<GitCompareArrows size={16} />}
        link={
          <Link
            to="/w/$workspaceId/workflows/$workflowId/versions"
            params={{ workspaceId: workflow.workspace_id, workflowId: workflow.id }}
            search={workflow.latest_version ? { b: workflow.latest_version } : {}}
          />
        }
      >
        {text.panels.versions}
      </MenuLink>
      <MenuItem
        icon={<Download size={16} />}
        onSelect={async () => {
          const { text: canvas } = await loadCanvas(workflow.id, "");
          saveAs(canvas, `${workflow.name}.json`);
        }}
      >
        {text.exportJson}
      </MenuItem>
    </Menu>
  );
}
