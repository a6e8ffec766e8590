import { loadAgent } from "../api/agent";
import { Ahead } from "../api/ahead";
import { client, unwrap } from "../api/client";
import { longTurns, said } from "../chat/part";

const PAGE = "100";

/** The newest messages of a conversation, or those before a page of them. */
export function loadMessages(conversationId: string, cursor?: string) {
  return unwrap(
    client.GET("/admin/v1/conversations/{conversation_id}/messages", {
      params: {
        path: { conversation_id: conversationId },
        query: { limit: PAGE, ...(cursor && { cursor }) },
      },
    }),
  );
}

export const agentAhead = new Ahead((agentId) => loadAgent(agentId));
export const messagesAhead = new Ahead((conversationId) => loadMessages(conversationId));

/** Asks for what the workbench opens with, side by side and before its screen is there. */
export function openAhead(agentId: string, conversationId: string | undefined): void {
  agentAhead.begin(agentId);
  if (!conversationId) return;
  messagesAhead.begin(conversationId);
  for (const part of [said, longTurns]) part.begin();
}
