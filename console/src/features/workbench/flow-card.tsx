import { Link } from "@tanstack/react-router";
import { Workflow } from "lucide-react";
import { useText } from "../../text/catalogue";
import { Combobox } from "../../ui/combobox/combobox";
import type { Draft, Edits } from "./edits";
import styles from "./flow-card.module.css";
import { findWorkflows, useFound } from "./queries";
import { workbenchText } from "./text";
import bench from "./workbench.module.css";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };

/** The workflow that answers instead of a persona and a model. */
export function FlowCard({ draft, onEdit }: Props) {
  const text = useText(workbenchText).flow;
  const { workspace_id: workspaceId, workflow_agent: bound } = draft;
  const { find, names } = useFound("workbench.workflows", workspaceId, findWorkflows);
  const id = bound ? String(bound.workflow_id) : "";
  return (
    <>
      <header className={bench.paneHead}>
        <h2>{text.title}</h2>
      </header>
      <div className={styles.card}>
        <p className={styles.why}>{text.why}</p>
        <Combobox
          label={text.label}
          hint={text.hint}
          value={id ? { value: id, label: names.get(id) ?? id } : undefined}
          options={find}
          onChange={(next) =>
            next && onEdit({ workflow_agent: { workflow_id: next.value, version: "" } })
          }
        />
        {id && (
          <Link
            to="/w/$workspaceId/workflows/$workflowId"
            params={{ workspaceId, workflowId: id }}
            className={styles.way}
          >
            <Workflow size={16} strokeWidth={1.5} />
            {text.open}
          </Link>
        )}
      </div>
    </>
  );
}
