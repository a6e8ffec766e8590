import { Outlet, useLocation, useParams } from "@tanstack/react-router";
import { may, useWorkspace } from "../session/session";
import { SECTIONS } from "./sections";
import { NoRight, NotFound } from "./states";

/** Lets through to the screens of a workspace, as far as the role reaches. */
export function WorkspaceGate() {
  const { workspaceId } = useParams({ from: "/shell/w/$workspaceId" });
  const { pathname } = useLocation();
  const workspace = useWorkspace(workspaceId);
  const section = SECTIONS.find((each) => pathname.split("/w/")[1]?.split("/")[1] === each.key);
  if (!workspace) return <NotFound />;
  if (section && !may(workspace, section.permission)) return <NoRight workspace={workspace} />;
  return <Outlet />;
}
