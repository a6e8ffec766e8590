import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { client, unwrap } from "../../../api/client";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Combobox } from "../../../ui/combobox/combobox";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Select } from "../../../ui/select/select";
import { declared, isBatched } from "../../commands/batch";
import { setInNode } from "../../commands/nodes";
import { parse } from "../../document/parse";
import { at, items, textOf, toJson } from "../../document/read";
import { graphOf, type Placed } from "../../model/graph";
import { driftOf, interfaceOf } from "../../model/interface";
import { SUB_WORKFLOW } from "../../model/kind";
import { loadCanvas } from "../../saving";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { Section } from "../input-rows";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { workflowSettings } from "../workflow-settings";

const INPUTS = ["data", "inputs"];

/** Which workflow is run, and in which version; its inputs and outputs are read from that. */
function SubWorkflowForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const { workspaceId = "", workflowId: self = "" } = useParams({ strict: false });
  const [failure, setFailure] = useState<ReturnType<typeof failureOf>>();
  const id = textOf(edit.at([...INPUTS, "workflowId"]));
  const version = textOf(edit.at([...INPUTS, "workflowVersion"]));
  const name = textOf(edit.at([...INPUTS, "workflowName"])) || node.title;
  const versions = useQuery({
    queryKey: ["admin.workflows.list_versions", id, "canvas"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workflows/{workflow_id}/versions", {
          params: { path: { workflow_id: id }, query: { limit: "100" } },
          signal,
        }),
      ),
    enabled: id !== "",
  });
  const labels = versions.data?.items.map((each) => each.version) ?? [];
  const face = useQuery({
    queryKey: ["canvas.face", id, version],
    queryFn: async ({ signal }) => {
      const { text: canvas } = await loadCanvas(id, version, signal);
      return interfaceOf(graphOf(parse(canvas).value));
    },
    enabled: id !== "",
  });
  const drift = face.data
    ? driftOf(items(edit.at([...INPUTS, "inputDefs"])), face.data.inputs)
    : [];
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
  async function choose(wanted: string, wantedVersion: string): Promise<void> {
    setFailure(undefined);
    try {
      const filled = new Map(
        items(edit.at([...INPUTS, "inputParameters"])).map((each) => [
          textOf(at(each, ["name"])),
          toJson(each),
        ]),
      );
      const { inputs, outputs } = await workflowSettings(wanted, wantedVersion, filled);
      edit.change(text.steps.edit(node.title), (root) =>
        setInNode(
          Object.entries(inputs).reduce(
            (now, [key, value]) => setInNode(now, node.id, [...INPUTS, key], value),
            root,
          ),
          node.id,
          ["data", "outputs"],
          declared(outputs, isBatched(node)),
        ),
      );
    } catch (error) {
      setFailure(failureOf(error instanceof Error ? error : new Error(String(error))));
    }
  }
  return (
    <Section
      title={text.subWorkflow.title}
      path={INPUTS}
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
          onChange={(option) => option && void choose(option.value, "")}
        />
        {id && (
          <Select
            label={text.subWorkflow.version}
            hint={version ? undefined : text.subWorkflow.draftWhy}
            value={version}
            isDisabled={edit.isReadOnly}
            options={[
              { value: "", label: text.subWorkflow.draft },
              ...(version && !labels.includes(version) ? [{ value: version, label: version }] : []),
              ...labels.map((each) => ({ value: each, label: each })),
            ]}
            onChange={(next) => void choose(id, next)}
          />
        )}
        {drift.length > 0 && (
          <div className={styles.rows}>
            <p className={styles.bad}>{text.subWorkflow.drift(drift.join(", "))}</p>
            {!edit.isReadOnly && (
              <div>
                <Button size="compact" onClick={() => void choose(id, version)}>
                  {text.subWorkflow.update}
                </Button>
              </div>
            )}
          </div>
        )}
        {failure && <ErrorLine failure={failure} />}
      </div>
    </Section>
  );
}

export const form: NodeForm = {
  types: [SUB_WORKFLOW],
  Form: SubWorkflowForm,
  inputs: "fixed",
  outputs: "fixed",
  handlesErrors: true,
  hasBatch: true,
};
