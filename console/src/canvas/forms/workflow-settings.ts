import { parse } from "../document/parse";
import type { Json } from "../document/read";
import { graphOf } from "../model/graph";
import { interfaceOf } from "../model/interface";
import { loadCanvas } from "../saving";
import { fieldJson, unsetInput } from "./input";

/**
 * What a node that runs a workflow is set to, as the canvas of that says now; what inputs were
 * filled with before stays with their names.
 */
export async function workflowSettings(
  id: string,
  version: string,
  filled: ReadonlyMap<string, Json> = new Map(),
) {
  const { workflow, text } = await loadCanvas(id, version);
  const { inputs, outputs, isAnswer } = interfaceOf(graphOf(parse(text).value));
  return {
    inputs: {
      workflowId: workflow.id,
      workflowName: workflow.name,
      workflowVersion: version,
      spaceId: workflow.workspace_id,
      type: isAnswer ? 1 : 0,
      inputDefs: inputs.map(fieldJson),
      inputParameters: inputs.map(
        (each) => filled.get(each.name) ?? { name: each.name, input: unsetInput(each) },
      ),
    },
    outputs: outputs.map(fieldJson),
  };
}
