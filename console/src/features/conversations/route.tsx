import { createLazyRoute } from "@tanstack/react-router";
import { traceText } from "../../trace/text";
import { Conversations } from "./conversations";
import { conversationsText } from "./text";

export const text = [conversationsText, traceText];
export const route = createLazyRoute("/shell/w/$workspaceId/conversations")({
  component: Conversations,
});
