import { createLazyRoute } from "@tanstack/react-router";
import { PluginScreen } from "./plugin-screen";
import { pluginText } from "./text";

export const text = pluginText;
export const route = createLazyRoute("/shell/w/$workspaceId/plugins/$pluginId")({
  component: PluginScreen,
});
