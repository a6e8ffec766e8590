import { createLazyRoute } from "@tanstack/react-router";
import { versionsText } from "./text";
import { Versions } from "./versions";

export const text = versionsText;
export const route = createLazyRoute("/shell/w/$workspaceId/agents/$agentId/versions")({
  component: Versions,
});
