import { createLazyRoute } from "@tanstack/react-router";
import { agentText } from "../../agent/text";
import { chatText } from "../../chat/text";
import { retrievalText } from "../../retrieval/text";
import { workbenchText } from "./text";
import { Workbench } from "./workbench";

export const text = [workbenchText, agentText, chatText, retrievalText];
export const route = createLazyRoute("/shell/w/$workspaceId/agents/$agentId")({
  component: Workbench,
});
