import { client, unwrap } from "../../api/client";
import type { ChatClient } from "../../chat/client";
import { playgroundClient } from "../../playground/chat-client";

/** What goes along with each message, as it stands when it is sent. */
export type Along = {
  parameters: Readonly<Record<string, unknown>>;
  userId: string;
  /** Outputs of nodes that do not run, by the node. */
  mocks: Record<string, Record<string, unknown>>;
  /** Waits until what was edited is what the draft is; tells whether it is. */
  saved: () => Promise<boolean>;
};

/** Asks the draft of a chat flow. */
export function flowClient(
  workflowId: string,
  workspaceId: string,
  along: () => Along | undefined,
  unsaved: string,
): ChatClient {
  return playgroundClient(workspaceId, async ({ headers, body }) => {
    const now = along();
    if (now && !(await now.saved())) throw new Error(unsaved);
    return unwrap(
      client.POST("/admin/v1/workflows/{workflow_id}/chats", {
        params: { path: { workflow_id: workflowId }, header: headers },
        body: {
          version: "draft",
          ...body,
          parameters: { ...now?.parameters },
          mocks: { ...now?.mocks },
          ...(now?.userId && { user_id: now.userId }),
        },
      }),
    );
  });
}
