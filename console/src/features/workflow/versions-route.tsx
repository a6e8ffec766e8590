import { createLazyRoute } from "@tanstack/react-router";
import { compareText } from "../../canvas/compare/text";
import { canvasText } from "../../canvas/text";
import { VersionsScreen } from "./versions-screen";

export const text = [canvasText, compareText];
export const route = createLazyRoute("/shell/w/$workspaceId/workflows/$workflowId/versions")({
  component: VersionsScreen,
});
