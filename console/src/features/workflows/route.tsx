import { createLazyRoute } from "@tanstack/react-router";
import { workflowsText } from "./text";
import { Workflows } from "./workflows";

export const text = workflowsText;
export const route = createLazyRoute("/shell/w/$workspaceId/workflows")({ component: Workflows });
