import { linkOptions, type ToOptions } from "@tanstack/react-router";
import type { AdminEntry } from "../api/schema";

export type Placed = Pick<AdminEntry, "type" | "id" | "parent_id" | "name">;

/** Where something of a workspace is looked at. */
export function placeOf(workspaceId: string, entry: Placed): ToOptions {
  const { type, id } = entry;
  const parent = entry.parent_id ?? "";
  switch (type) {
    case "agent":
      return linkOptions({
        to: "/w/$workspaceId/agents/$agentId",
        params: { workspaceId, agentId: id },
      });
    case "workflow":
      return linkOptions({
        to: "/w/$workspaceId/workflows/$workflowId",
        params: { workspaceId, workflowId: id },
      });
    case "dataset":
      return linkOptions({
        to: "/w/$workspaceId/knowledge/$baseId",
        params: { workspaceId, baseId: id },
      });
    case "document":
      return linkOptions({
        to: "/w/$workspaceId/knowledge/$baseId/documents/$documentId",
        params: { workspaceId, baseId: parent, documentId: id },
      });
    case "plugin":
      return linkOptions({
        to: "/w/$workspaceId/plugins/$pluginId",
        params: { workspaceId, pluginId: id },
      });
    case "database":
      return linkOptions({
        to: "/w/$workspaceId/databases/$databaseId",
        params: { workspaceId, databaseId: id },
      });
    case "prompt":
      return linkOptions({
        to: "/w/$workspaceId/prompts",
        params: { workspaceId },
        search: { ...(entry.name && { q: entry.name }), prompt: id },
      });
    case "run":
      return linkOptions({ to: "/w/$workspaceId/runs/$runId", params: { workspaceId, runId: id } });
    case "conversation":
      return linkOptions({
        to: "/w/$workspaceId/conversations/$conversationId",
        params: { workspaceId, conversationId: id },
      });
    case "member":
      return linkOptions({
        to: "/w/$workspaceId/settings/{-$tab}",
        params: { workspaceId, tab: "members" },
      });
    case "token":
      return linkOptions({
        to: "/w/$workspaceId/settings/{-$tab}",
        params: { workspaceId, tab: "tokens" },
      });
  }
}
