import { client, unwrap } from "../../api/client";
import { parse } from "../../canvas/document/parse";
import { at, items } from "../../canvas/document/read";
import { fieldOf } from "../../canvas/model/field";
import { entryOf, graphOf } from "../../canvas/model/graph";
import { loadCanvas } from "../../canvas/saving";
import { asRecord } from "../../json/json";
import type { Parameter, Tool } from "./shortcuts";

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
  const properties = Object.entries(asRecord(schema["properties"]));
  const needed = schema["required"];
  const required: readonly unknown[] = Array.isArray(needed) ? needed : [];
  return properties.map(([name, each]) =>
    parameter(
      name,
      String(asRecord(each)["type"] ?? "string"),
      String(asRecord(each)["description"] ?? ""),
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
