import { createLazyRoute } from "@tanstack/react-router";
import { canvasText } from "../../canvas/text";
import { WorkflowScreen } from "./workflow-screen";

export const text = canvasText;
export const route = createLazyRoute("/shell/w/$workspaceId/workflows/$workflowId")({
  component: WorkflowScreen,
});
