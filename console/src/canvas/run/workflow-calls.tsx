import type { AdminWorkflow } from "../../api/schema";
import { workflowCalls } from "../../reach/calls";
import { FirstCalls } from "../../reach/first-calls";
import type { Field } from "../model/field";
import { entryOf, graphOf } from "../model/graph";
import { outputsOf } from "../model/output";
import { useCanvas } from "../store";

/** How programs call a workflow, with a value for each input that its canvas declares. */
export function WorkflowCalls({ workflow }: { workflow: AdminWorkflow }) {
  const entry = useCanvas((state) => entryOf(graphOf(state.root)));
  const values = Object.fromEntries(
    (entry ? outputsOf(entry) : []).map((field) => [field.name, EXAMPLES[field.type]]),
  );
  return (
    <FirstCalls
      workspaceId={workflow.workspace_id}
      calls={workflowCalls(location.origin, workflow.id, values)}
    />
  );
}

const EXAMPLES: Readonly<Record<Field["type"], unknown>> = {
  string: "…",
  integer: 1,
  float: 0.5,
  boolean: true,
  object: {},
  list: [],
};
