import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useText } from "../../text/catalogue";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import type { Draft, Edits } from "./edits";
import { findWorkflows } from "./queries";
import { Section } from "./section";
import { workbenchText } from "./text";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };

/** Workflows that the agent may call; what else stands in a binding is kept. */
export function ToolsSection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).tools;
  const workspaceId = draft.workspace_id;
  const bound = draft.workflows;
  const find = useCallback(
    (q: string, signal: AbortSignal) => findWorkflows(workspaceId, q, signal),
    [workspaceId],
  );
  const known = useQuery({
    queryKey: ["workbench.workflows", workspaceId],
    queryFn: ({ signal }) => findWorkflows(workspaceId, "", signal),
  }).data;
  const names = new Map(known?.map((flow) => [flow.value, flow.label]));
  const values = bound.map((each) => {
    const id = String(each.workflow_id);
    return { value: id, label: names.get(id) ?? (each.tool_name || id) };
  });
  return (
    <Section title={text.title} state={bound.length > 0 ? text.count(bound.length) : text.none}>
      <MultiCombobox
        label={text.label}
        hint={text.hint}
        values={values}
        options={find}
        onChange={(next) =>
          onEdit({
            workflows: next.map(
              ({ value }) =>
                bound.find((each) => String(each.workflow_id) === value) ?? newBinding(value),
            ),
          })
        }
      />
    </Section>
  );
}

/** The newest version, which says by itself what it changes. */
function newBinding(workflowId: string): Draft["workflows"][number] {
  return {
    workflow_id: workflowId,
    tool_name: "",
    version: "",
    effect: "read",
    approval: "auto",
    applied_effect: "",
  };
}
