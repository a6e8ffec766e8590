import { Link } from "@tanstack/react-router";
import { Copy, Download, Ellipsis, GitCompareArrows, Waypoints } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { AdminWorkflow } from "../../api/schema";
import { loadCanvas } from "../../canvas/saving";
import { canvasText } from "../../canvas/text";
import { useText } from "../../text/catalogue";
import { IconButton } from "../../ui/button/icon-button";
import { saveAs } from "../../ui/file/save-as";
import { Menu, MenuItem, MenuLink } from "../../ui/menu/menu";
import { toast } from "../../ui/toast/toasts";

const CallersDialog = lazy(() => import("../../canvas/run/callers-dialog"));

/** What is done with a workflow less often. */
export function WorkflowMenu({ workflow }: { workflow: AdminWorkflow }) {
  const text = useText(canvasText);
  const [isAsking, setAsking] = useState(false);
  const menu = (
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
      <MenuItem icon={<Waypoints size={16} />} onSelect={() => setAsking(true)}>
        {text.callers.open}
      </MenuItem>
      <MenuItem
        icon={<Download size={16} />}
        onSelect={async () => {
          const { text: canvas } = await loadCanvas(workflow.id, "");
          saveAs(canvas, `${workflow.name}.json`);
        }}
      >
        {text.exportJson}
      </MenuItem>
      <MenuItem
        icon={<Copy size={16} />}
        onSelect={async () => {
          const { text: canvas } = await loadCanvas(workflow.id, "");
          await navigator.clipboard.writeText(canvas);
          toast(text.jsonCopied);
        }}
      >
        {text.copyJson}
      </MenuItem>
    </Menu>
  );
  return (
    <>
      {menu}
      <Suspense>
        {isAsking && <CallersDialog workflow={workflow} onClose={() => setAsking(false)} />}
      </Suspense>
    </>
  );
}
