import { createLazyRoute } from "@tanstack/react-router";
import { Workflows } from "./workflows";
import { workflowsText } from "./text";

export const text = workflowsText;
export const route = createLazyRoute("/shell/w/$workspaceId/workflows")({ component: Workflows });
