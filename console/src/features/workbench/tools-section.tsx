import { useText } from "../../text/catalogue";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import { Select } from "../../ui/select/select";
import type { Draft, Edits } from "./edits";
import { findTools, findWorkflows, toolKey, useFound } from "./queries";
import { Section } from "./section";
import { workbenchText } from "./text";
import styles from "./workbench.module.css";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };
type Workflow = Draft["workflows"][number];
type Tool = Draft["plugins"][number];
type Approval = Tool["approval"];

const APPROVALS: readonly Approval[] = ["auto", "always", "exempt"];

/** What the agent may call: tools of plugins, and workflows. What else is bound with it is kept. */
export function ToolsSection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).tools;
  const { plugins, workflows } = draft;
  const flows = useFound("workbench.workflows", draft.workspace_id, findWorkflows);
  const tools = useFound("workbench.tools", draft.workspace_id, findTools);
  const flowName = (each: Workflow) =>
    flows.names.get(String(each.workflow_id)) ?? (each.tool_name || String(each.workflow_id));
  const toolName = (each: Tool) => tools.names.get(keyOf(each)) ?? String(each.tool_id);
  const count = plugins.length + workflows.length;
  return (
    <Section part="tools" title={text.title} state={count > 0 ? text.count(count) : text.none}>
      <MultiCombobox
        label={text.plugins}
        hint={text.pluginsHint}
        values={plugins.map((each) => ({ value: keyOf(each), label: toolName(each) }))}
        options={tools.find}
        onChange={(next) =>
          onEdit({
            plugins: next.map(
              ({ value }) => plugins.find((each) => keyOf(each) === value) ?? newTool(value),
            ),
          })
        }
      />
      <MultiCombobox
        label={text.label}
        hint={text.hint}
        values={workflows.map((each) => ({
          value: String(each.workflow_id),
          label: flowName(each),
        }))}
        options={flows.find}
        onChange={(next) =>
          onEdit({
            workflows: next.map(
              ({ value }) =>
                workflows.find((each) => String(each.workflow_id) === value) ?? newFlow(value),
            ),
          })
        }
      />
      {count > 0 && (
        <fieldset className={styles.approvals}>
          <legend>{text.approval}</legend>
          {plugins.map((each) => (
            <Asked
              key={keyOf(each)}
              name={toolName(each)}
              value={each.approval}
              onChange={(approval) =>
                onEdit({
                  plugins: plugins.map((one) => (one === each ? { ...one, approval } : one)),
                })
              }
            />
          ))}
          {workflows.map((each) => (
            <Asked
              key={String(each.workflow_id)}
              name={flowName(each)}
              value={each.approval}
              onChange={(approval) =>
                onEdit({
                  workflows: workflows.map((one) => (one === each ? { ...one, approval } : one)),
                })
              }
            />
          ))}
        </fieldset>
      )}
    </Section>
  );
}

type AskedProps = { name: string; value: Approval; onChange: (value: Approval) => void };

/** When a person is asked before a call. */
function Asked({ name, value, onChange }: AskedProps) {
  const text = useText(workbenchText).tools;
  return (
    <div className={styles.approval}>
      <span>{name}</span>
      <Select
        label={text.approvalOf(name)}
        isLabelHidden
        size="compact"
        value={value}
        options={APPROVALS.map((each) => ({ value: each, label: text.approvals[each] }))}
        onChange={onChange}
      />
    </div>
  );
}

function keyOf(tool: Tool): string {
  return toolKey(String(tool.plugin_id), String(tool.tool_id));
}

/** Publishing binds the newest version. */
function newTool(key: string): Tool {
  const [plugin_id = "", tool_id = ""] = key.split("/");
  return { plugin_id, tool_id, version: "", approval: "auto" };
}

/** The newest version, which says by itself what it changes. */
function newFlow(workflowId: string): Workflow {
  return {
    workflow_id: workflowId,
    tool_name: "",
    version: "",
    effect: "read",
    approval: "auto",
    applied_effect: "",
  };
}
