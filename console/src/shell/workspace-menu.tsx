import { lazy, type ReactElement, Suspense, useState } from "react";
import type { Workspace } from "../session/session";
import { Menu } from "../ui/menu/menu";

const WorkspaceMenuItems = lazy(() => import("./workspace-menu-items"));
const NewWorkspace = lazy(() => import("./new-workspace"));

type Props = {
  workspace: Workspace | undefined;
  trigger: ReactElement<Record<string, unknown>>;
};

/** The workspaces of the person, to switch between, and to make one more. */
export function WorkspaceMenu({ workspace, trigger }: Props) {
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <Menu trigger={trigger} isFitted>
        <Suspense>
          <WorkspaceMenuItems workspace={workspace} onNew={() => setMaking(true)} />
        </Suspense>
      </Menu>
      <Suspense>{isMaking && <NewWorkspace onClose={() => setMaking(false)} />}</Suspense>
    </>
  );
}
