import { createLazyRoute } from "@tanstack/react-router";
import { toolText } from "./text";
import { ToolScreen } from "./tool-screen";

export const text = toolText;
export const route = createLazyRoute("/shell/w/$workspaceId/plugins/$pluginId/tools/$toolId")({
  component: ToolScreen,
});
