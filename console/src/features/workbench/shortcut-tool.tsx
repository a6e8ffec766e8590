import { useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { ErrorLine } from "../../ui/error-state/error-line";
import type { Failure } from "../../ui/error-state/failure";
import { Select } from "../../ui/select/select";
import { TextField } from "../../ui/text-field/text-field";
import type { Draft } from "./edits";
import { findTools, findWorkflows, toolKey, useFound } from "./queries";
import styles from "./shortcut-dialog.module.css";
import { parametersOfTool } from "./shortcut-parameters";
import type { Component, Tool } from "./shortcuts";
import { workbenchText } from "./text";

type Props = {
  draft: Draft;
  tool: Tool | null;
  components: readonly Component[];
  onChange: (tool: Tool | null) => void;
};

const NONE = "none";
const FIXED = "=";

/** The tool that is called before the model is asked: one that the agent is bound to. */
export function ShortcutTool({ draft, tool, components, onChange }: Props) {
  const text = useText(workbenchText).shortcuts;
  const { plugins, workflows, workspace_id: workspaceId } = draft;
  const { names: flowNames } = useFound("workbench.workflows", workspaceId, findWorkflows);
  const { names: toolNames } = useFound("workbench.tools", workspaceId, findTools);
  const [failure, setFailure] = useState<Failure>();
  const bound: readonly { key: string; label: string; tool: Tool }[] = [
    ...plugins.map((each) => {
      const [plugin_id, plugin_tool_id] = [String(each.plugin_id), String(each.tool_id)];
      const name = toolNames.get(toolKey(plugin_id, plugin_tool_id)) ?? plugin_tool_id;
      const found: Tool = { type: "plugin", plugin_id, plugin_tool_id, name, params: [] };
      return { key: keyOf(found), label: name, tool: found };
    }),
    ...workflows.map((each) => {
      const workflow_id = String(each.workflow_id);
      const name = flowNames.get(workflow_id) ?? (each.tool_name || workflow_id);
      const found: Tool = { type: "workflow", workflow_id, name, params: [] };
      return { key: keyOf(found), label: name, tool: found };
    }),
  ];
  const chosen = tool ? keyOf(tool) : NONE;
  const params = tool?.params ?? [];
  async function choose(key: string): Promise<void> {
    setFailure(undefined);
    const found = bound.find((each) => each.key === key)?.tool;
    if (!found) return onChange(null);
    onChange(found);
    try {
      onChange({ ...found, params: await parametersOfTool(found) });
    } catch (error) {
      setFailure(failureOf(error instanceof Error ? error : new Error(String(error))));
    }
  }
  const change = (name: string, more: Partial<(typeof params)[number]>) =>
    tool &&
    onChange({
      ...tool,
      params: params.map((each) => (each.name === name ? { ...each, ...more } : each)),
    });
  return (
    <>
      <Select
        label={text.tool}
        hint={bound.length > 0 ? text.toolHint : text.noTool}
        value={chosen}
        options={[
          { value: NONE, label: text.without },
          ...bound.map(({ key, label }) => ({ value: key, label })),
          ...(tool && !bound.some(({ key }) => key === chosen)
            ? [{ value: chosen, label: tool.name || chosen }]
            : []),
        ]}
        onChange={(key) => void choose(key)}
      />
      {params.map((each) => (
        <div key={each.name} className={styles.pair}>
          <Select
            label={each.required ? text.needed(each.name) : each.name}
            hint={each.description}
            value={each.refer_component ? (fieldOf(components, each.name) ?? FIXED) : FIXED}
            options={[
              { value: FIXED, label: text.fixed },
              ...components.map(({ name }) => ({ value: name, label: text.fromField(name) })),
            ]}
            onChange={(from) => change(each.name, { refer_component: from !== FIXED })}
          />
          {!each.refer_component && (
            <TextField
              label={text.value}
              value={each.default_value ?? ""}
              onChange={(default_value) => change(each.name, { default_value })}
            />
          )}
        </div>
      ))}
      {failure && <ErrorLine failure={failure} />}
    </>
  );
}

function keyOf(tool: Tool): string {
  return tool.type === "workflow"
    ? `workflow/${tool.workflow_id}`
    : `plugin/${tool.plugin_id}/${tool.plugin_tool_id}`;
}

/** The field that fills a parameter: one that names it, or one of the same name. */
function fieldOf(components: readonly Component[], parameter: string): string | undefined {
  return components.find((each) => (each.parameter || each.name) === parameter)?.name;
}
