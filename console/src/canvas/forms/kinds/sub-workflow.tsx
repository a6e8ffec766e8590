import { useParams } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { client, unwrap } from "../../../api/client";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Combobox } from "../../../ui/combobox/combobox";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { declared, isBatched } from "../../commands/batch";
import { setInNode } from "../../commands/nodes";
import { parse } from "../../document/parse";
import { at, items, type JsonObject, textOf, toJson } from "../../document/read";
import type { Value } from "../../document/tree";
import { field, fieldOf, wantedType } from "../../model/field";
import { entryOf, graphOf, type Placed } from "../../model/graph";
import { EXIT, SUB_WORKFLOW } from "../../model/kind";
import { loadCanvas } from "../../saving";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { fieldJson, unsetInput } from "../input";
import { Section } from "../input-rows";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";

const INPUTS = ["data", "inputs"];

/** Which workflow is run; its inputs and outputs are read from its draft. */
function SubWorkflowForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const { workspaceId = "", workflowId: self = "" } = useParams({ strict: false });
  const [failure, setFailure] = useState<ReturnType<typeof failureOf>>();
  const id = textOf(edit.at([...INPUTS, "workflowId"]));
  const name = textOf(edit.at([...INPUTS, "workflowName"])) || node.title;
  async function find(q: string, signal: AbortSignal) {
    const found = await unwrap(
      client.GET("/admin/v1/workspaces/{workspace_id}/workflows", {
        params: { path: { workspace_id: workspaceId }, query: { limit: "30", ...(q && { q }) } },
        signal,
      }),
    );
    return found.items
      .filter((each) => each.id !== self)
      .map((each) => ({ value: each.id, label: each.name, note: each.description || undefined }));
  }
  async function choose(wanted: string): Promise<void> {
    setFailure(undefined);
    try {
      const { workflow, text: canvas } = await loadCanvas(wanted, "");
      const face = faceOf(parse(canvas).value);
      const old = new Map(
        items(edit.at([...INPUTS, "inputParameters"])).map((each) => [
          textOf(at(each, ["name"])),
          toJson(each),
        ]),
      );
      const settings: JsonObject = {
        workflowId: workflow.id,
        workflowName: workflow.name,
        workflowVersion: "",
        spaceId: workflow.workspace_id,
        type: face.isAnswer ? 1 : 0,
        inputDefs: face.inputs.map(fieldJson),
        inputParameters: face.inputs.map(
          (each) => old.get(each.name) ?? { name: each.name, input: unsetInput(each) },
        ),
      };
      edit.change(text.steps.edit(node.title), (root) =>
        setInNode(
          Object.entries(settings).reduce(
            (now, [key, value]) => setInNode(now, node.id, [...INPUTS, key], value),
            root,
          ),
          node.id,
          ["data", "outputs"],
          declared(face.outputs.map(fieldJson), isBatched(node)),
        ),
      );
    } catch (error) {
      setFailure(failureOf(error instanceof Error ? error : new Error(String(error))));
    }
  }
  return (
    <Section
      title={text.subWorkflow.title}
      aside={
        id && (
          <a
            className={styles.hint}
            href={`/console/w/${workspaceId}/workflows/${id}`}
            target="_blank"
            rel="noreferrer"
          >
            {text.subWorkflow.open} <ExternalLink size={12} style={{ display: "inline" }} />
          </a>
        )
      }
    >
      <div className={styles.stack}>
        <Combobox
          label={text.subWorkflow.title}
          isLabelHidden
          value={id ? { value: id, label: name } : undefined}
          options={find}
          placeholder={text.subWorkflow.choose}
          isDisabled={edit.isReadOnly}
          onChange={(option) => option && void choose(option.value)}
        />
        {failure && <ErrorLine failure={failure} />}
      </div>
    </Section>
  );
}

/** What a workflow takes and gives, read from its canvas. */
function faceOf(root: Value) {
  const graph = graphOf(root);
  const entry = entryOf(graph);
  const exit = [...graph.nodes.values()].find((each) => each.type === EXIT && !each.scope);
  const settings = exit && at(exit.value, INPUTS);
  const isAnswer = textOf(at(settings, ["terminatePlan"])) === "useAnswerContent";
  const inputs = entry ? items(at(entry.value, ["data", "outputs"])).map(fieldOf) : [];
  const outputs = isAnswer
    ? [field("output", "string")]
    : items(at(settings, ["inputParameters"])).map((each) =>
        wantedType(at(each, ["input"]), textOf(at(each, ["name"]))),
      );
  return { inputs, outputs, isAnswer };
}

export const form: NodeForm = {
  types: [SUB_WORKFLOW],
  Form: SubWorkflowForm,
  inputs: "fixed",
  outputs: "fixed",
  handlesErrors: true,
  hasBatch: true,
};
