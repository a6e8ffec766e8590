import { client, unwrap } from "./client";
import type { AdminAgent } from "./schema";

/** An agent with all its settings. */
export function loadAgent(agentId: string, signal?: AbortSignal): Promise<AdminAgent> {
  return unwrap(
    client.GET("/admin/v1/agents/{agent_id}", {
      params: { path: { agent_id: agentId } },
      ...(signal && { signal }),
    }),
  );
}
