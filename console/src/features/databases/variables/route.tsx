import { createLazyRoute } from "@tanstack/react-router";
import { agentText } from "../../../agent/text";
import { variablesText } from "./text";
import { Variables } from "./variables";

export const text = [variablesText, agentText];
export const route = createLazyRoute("/shell/w/$workspaceId/databases/variables")({
  component: Variables,
});
