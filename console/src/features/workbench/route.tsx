import { createLazyRoute } from "@tanstack/react-router";
import { chatText } from "../../chat/text";
import { retrievalText } from "../../retrieval/text";
import { workbenchText } from "./text";
import { Workbench } from "./workbench";

export const text = [workbenchText, chatText, retrievalText];
export const route = createLazyRoute("/shell/w/$workspaceId/agents/$agentId")({
  component: Workbench,
});
