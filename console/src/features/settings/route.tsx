import { createLazyRoute } from "@tanstack/react-router";
import { Settings } from "./settings";
import { settingsText } from "./text";

export const text = settingsText;
export const route = createLazyRoute("/shell/w/$workspaceId/settings/{-$tab}")({
  component: Settings,
});
