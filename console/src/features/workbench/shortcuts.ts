import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import type { AdminShortcut, ShortcutFields } from "../../api/schema";
import { parse } from "../../canvas/document/parse";
import { at, items } from "../../canvas/document/read";
import { fieldOf } from "../../canvas/model/field";
import { entryOf, graphOf } from "../../canvas/model/graph";
import { loadCanvas } from "../../canvas/saving";

export type Shortcut = AdminShortcut;
export type Component = AdminShortcut["components"][number];
export type Tool = NonNullable<AdminShortcut["tool"]>;
type Parameter = NonNullable<Tool["params"]>[number];

const LIST = "admin.shortcuts.list";

export function useShortcuts(agentId: string) {
  return useQuery({
    queryKey: [LIST, agentId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/agents/{agent_id}/shortcuts", {
          params: { path: { agent_id: agentId } },
          signal,
        }),
      ),
  }).data?.items;
}

/** How the shortcuts of a draft are changed; each change is one of the draft. */
export function useShortcutChanges(agentId: string, onChanged: () => Promise<void>) {
  const queries = useQueryClient();
  const path = { agent_id: agentId };
  const onSuccess = () =>
    Promise.all([queries.invalidateQueries({ queryKey: [LIST, agentId] }), onChanged()]);
  const save = useMutation({
    mutationFn: ({ id, ...body }: ShortcutFields & { id: string | undefined }) =>
      unwrap(
        id
          ? client.PATCH("/admin/v1/agents/{agent_id}/shortcuts/{shortcut_id}", {
              params: { path: { ...path, shortcut_id: id } },
              body,
            })
          : client.POST("/admin/v1/agents/{agent_id}/shortcuts", { params: { path }, body }),
      ),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: ({ id }: Shortcut) =>
      done(
        client.DELETE("/admin/v1/agents/{agent_id}/shortcuts/{shortcut_id}", {
          params: { path: { ...path, shortcut_id: id } },
        }),
      ),
    onSuccess,
  });
  const reorder = useMutation({
    mutationFn: (shortcut_ids: string[]) =>
      unwrap(
        client.PUT("/admin/v1/agents/{agent_id}/shortcuts/order", {
          params: { path },
          body: { shortcut_ids },
        }),
      ),
    onSuccess,
  });
  return { save, remove, reorder };
}

/** A list with one of its things moved by a place; at the ends it stays. */
export function moved<T>(all: readonly T[], from: number, by: -1 | 1): T[] {
  const next = [...all];
  const [thing] = next.splice(from, 1);
  if (thing !== undefined) next.splice(Math.max(0, Math.min(all.length - 1, from + by)), 0, thing);
  return next;
}

/** What a tool is called with, as the shortcut has it where it has it already. */
export async function parametersOfTool(tool: Tool): Promise<Parameter[]> {
  const named =
    tool.type === "workflow"
      ? await inputsOfWorkflow(tool.workflow_id ?? "")
      : await inputsOfTool(tool.plugin_id ?? "", tool.plugin_tool_id ?? "");
  const old = new Map((tool.params ?? []).map((each) => [each.name, each]));
  return named.map((each) => ({ ...each, ...old.get(each.name) }));
}

async function inputsOfTool(plugin_id: string, tool_id: string): Promise<Parameter[]> {
  const { input_schema: schema } = await unwrap(
    client.GET("/admin/v1/plugins/{plugin_id}/tools/{tool_id}", {
      params: { path: { plugin_id, tool_id } },
    }),
  );
  const properties = Object.entries(record(schema["properties"]));
  const needed = schema["required"];
  const required: readonly unknown[] = Array.isArray(needed) ? needed : [];
  return properties.map(([name, each]) =>
    parameter(
      name,
      String(record(each)["type"] ?? "string"),
      String(record(each)["description"] ?? ""),
      required.includes(name),
    ),
  );
}

async function inputsOfWorkflow(workflowId: string): Promise<Parameter[]> {
  const { text } = await loadCanvas(workflowId, "");
  const entry = entryOf(graphOf(parse(text).value));
  return (entry ? items(at(entry.value, ["data", "outputs"])).map(fieldOf) : []).map((each) =>
    parameter(each.name, each.type, each.description, each.isRequired),
  );
}

function parameter(name: string, type: string, description: string, required: boolean): Parameter {
  return { name, type, description, required, default_value: "", refer_component: false };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
