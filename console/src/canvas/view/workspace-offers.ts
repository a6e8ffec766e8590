import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { client, unwrap } from "../../api/client";
import { useRested } from "../../api/list";
import { may, useWorkspace } from "../../session/session";
import type { JsonObject } from "../document/read";
import { literalInput } from "../forms/input";
import { workflowSettings } from "../forms/workflow-settings";
import { field } from "../model/field";
import { PLUGIN, SUB_WORKFLOW } from "../model/kind";

/** Something of the workspace that a node can be made of. */
export type WorkspaceOffer = {
  readonly id: string;
  /** The kind of the node. */
  readonly type: string;
  readonly name: string;
  readonly about: string;
  /** What the node begins with beside the defaults of its kind. */
  readonly settings: () => Promise<JsonObject>;
};

const MOST = "6";
const SOME_TIME_MS = 60_000;

/** Workflows and plugins of the workspace, those of MCP servers too, by a part of their name. */
export function useWorkspaceOffers(query: string): readonly WorkspaceOffer[] {
  const { workspaceId = "", workflowId = "" } = useParams({ strict: false });
  const q = useRested(query.trim());
  const seesPlugins = may(useWorkspace(workspaceId), "plugin.read");
  const params = { path: { workspace_id: workspaceId }, query: { q, limit: MOST } };
  const workflows = useQuery({
    queryKey: ["admin.workflows.list", workspaceId, "palette", q],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/workflows", { params, signal })),
    staleTime: SOME_TIME_MS,
    enabled: q !== "",
  });
  const plugins = useQuery({
    queryKey: ["admin.plugins.list", workspaceId, "palette", q],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/plugins", { params, signal })),
    staleTime: SOME_TIME_MS,
    enabled: q !== "" && seesPlugins,
  });
  if (query.trim() === "") return [];
  const callable = workflows.data?.items.filter((each) => each.id !== workflowId) ?? [];
  return [
    ...callable.map(({ id, name, description: about }) => ({
      id,
      type: SUB_WORKFLOW,
      name,
      about,
      settings: () => workflowSettings(id, ""),
    })),
    ...(plugins.data?.items ?? []).map(({ id, name, description: about }) => ({
      id,
      type: PLUGIN,
      name,
      about,
      // Its tool is chosen in the form, which begins with the plugin.
      settings: async () => ({ inputs: { apiParam: named({ pluginID: id, pluginName: name }) } }),
    })),
  ];
}

function named(settings: Readonly<Record<string, string>>): readonly JsonObject[] {
  const string = field("", "string");
  return Object.entries(settings).map(([name, value]) => ({
    name,
    input: literalInput(string, value),
  }));
}
