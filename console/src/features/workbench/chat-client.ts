import { client, unwrap } from "../../api/client";
import type { ChatClient } from "../../chat/client";
import { playgroundClient } from "../../playground/chat-client";
import type { Trying } from "./try-settings";

/** Asks the draft of an agent. */
export function draftClient(
  agentId: string,
  workspaceId: string,
  /** Waits until what was edited is what the draft is. */
  saved: () => Promise<void>,
  /** What holds for the next question besides the draft. */
  trying: () => Trying,
): ChatClient {
  return playgroundClient(workspaceId, async ({ headers, body }) => {
    await saved();
    const { userId, modelId, variables } = trying();
    return unwrap(
      client.POST("/admin/v1/agents/{agent_id}/chats", {
        params: { path: { agent_id: agentId }, header: headers },
        body: {
          version: "draft",
          ...body,
          ...(userId && { user_id: userId }),
          ...(modelId && { overrides: { model_id: modelId } }),
          ...(Object.keys(variables).length > 0 && { custom_variables: { ...variables } }),
        },
      }),
    );
  });
}
