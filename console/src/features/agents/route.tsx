import { createLazyRoute } from "@tanstack/react-router";
import { Agents } from "./agents";
import { agentsText } from "./text";

export const text = agentsText;
export const route = createLazyRoute("/shell/w/$workspaceId/agents")({ component: Agents });
