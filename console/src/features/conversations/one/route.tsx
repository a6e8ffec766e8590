import { createLazyRoute } from "@tanstack/react-router";
import { chatText } from "../../../chat/text";
import { traceText } from "../../../trace/text";
import { conversationsText } from "../text";
import { ConversationScreen } from "./conversation";
import { oneText } from "./text";

export const text = [oneText, conversationsText, chatText, traceText];
export const route = createLazyRoute("/shell/w/$workspaceId/conversations/$conversationId")({
  component: ConversationScreen,
});
