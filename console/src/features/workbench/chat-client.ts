import { client, unwrap } from "../../api/client";
import type { ChatClient } from "../../chat/client";
import { playgroundClient } from "../../playground/chat-client";

/** Asks the draft of an agent. */
export function draftClient(
  agentId: string,
  workspaceId: string,
  /** Waits until what was edited is what the draft is. */
  saved: () => Promise<void>,
): ChatClient {
  return playgroundClient(workspaceId, async ({ headers, body }) => {
    await saved();
    return unwrap(
      client.POST("/admin/v1/agents/{agent_id}/chats", {
        params: { path: { agent_id: agentId }, header: headers },
        body: { version: "draft", ...body },
      }),
    );
  });
}
