import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { client, unwrap } from "../../api/client";
import { failureOf } from "../../api/list";
import type { AdminWorkflow } from "../../api/schema";
import { reachText } from "../../reach/text";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Checkbox } from "../../ui/checkbox/checkbox";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Unsaved } from "../../ui/form/unsaved";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import { useCanvasText } from "../compare/queries";
import { parse } from "../document/parse";
import rows from "../forms/rows.module.css";
import { graphOf } from "../model/graph";
import { changeSize, nextVersion } from "../model/interface";
import { useProblems } from "../problems";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import { Callers, useCallers } from "./callers";
import { WorkflowCalls } from "./workflow-calls";

type Props = {
  workflow: AdminWorkflow;
  onPublished: (workflow: AdminWorkflow) => void;
  onProblems: () => void;
  /** Leads to the test run. */
  onTry: () => void;
  onClose: () => void;
};

/** Freezing the draft as a version: what hinders it, what is new in it, and how it is called then. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function PublishDialog({
  workflow,
  onPublished,
  onProblems,
  onTry,
  onClose,
}: Props) {
  const text = useText(canvasText);
  // What a part of the dialog waits for would close it: all words are here before it opens.
  useText(reachText);
  const queries = useQueryClient();
  const { all } = useProblems();
  const errors = all.filter((each) => each.severity === "error").length;
  const warnings = all.filter((each) => each.severity === "warning").length;
  const root = useCanvas((state) => state.root);
  const last = useCanvasText(workflow.id, workflow.latest_version || undefined).data?.text;
  const size = useMemo(
    () => (last === undefined ? "patch" : changeSize(graphOf(parse(last).value), graphOf(root))),
    [last, root],
  );
  const { workflows, agents } = useCallers(workflow);
  const callers = workflows.length + agents.length;
  const [typed, setVersion] = useState<string>();
  const version = typed ?? nextVersion(workflow.latest_version, size);
  const [note, setNote] = useState("");
  const [isForced, setForced] = useState(false);
  const [reason, setReason] = useState("");
  const publish = useMutation({
    mutationFn: () =>
      unwrap(
        client.POST("/admin/v1/workflows/{workflow_id}/publish", {
          params: { path: { workflow_id: workflow.id } },
          body: {
            version,
            description: isForced
              ? [note, text.publish.forcedFor(reason.trim())].filter(Boolean).join("\n\n")
              : note,
            force: isForced,
          },
        }),
      ),
    onSuccess: (answer) => {
      void queries.invalidateQueries({ queryKey: ["admin.workflows.list"] });
      onPublished(answer.workflow);
    },
  });
  const failure = failureOf(publish.error);
  const canPublish =
    errors === 0 && (workflow.test_run_passed || (isForced && reason.trim() !== ""));
  if (publish.data) {
    return (
      <Dialog
        isOpen
        isForReading
        size="wide"
        onClose={onClose}
        title={text.publish.done(publish.data.version.version)}
        description={text.publish.next}
        actions={
          <Button kind="primary" onClick={onClose}>
            {text.close}
          </Button>
        }
      >
        <WorkflowCalls workflow={workflow} />
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.publish.title}
      description={text.publish.why}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            kind="primary"
            isLoading={publish.isPending}
            disabled={!canPublish}
            onClick={() => publish.mutate()}
          >
            {text.publish.verb(version)}
          </Button>
        </>
      }
    >
      <div className={rows.stack}>
        {errors > 0 && (
          <p className={rows.bad}>
            {text.publish.errors(errors)}{" "}
            <Button size="compact" onClick={onProblems}>
              {text.publish.showErrors}
            </Button>
          </p>
        )}
        {errors === 0 && warnings > 0 && (
          <p className={rows.hint}>{text.publish.warnings(warnings)}</p>
        )}
        <TextField
          label={text.publish.version}
          value={version}
          onChange={setVersion}
          hint={last === undefined ? text.publish.versionHint : text.publish.sizes[size]}
        />
        {callers > 0 && (
          <div>
            <p className={size === "major" ? rows.bad : rows.hint}>
              {text.publish.callers(callers)}
            </p>
            <Callers workflow={workflow} />
          </div>
        )}
        <TextArea label={text.publish.note} value={note} rows={3} onChange={setNote} />
        {errors === 0 && !workflow.test_run_passed && (
          <>
            <p className={rows.hint}>
              {text.publish.untried}{" "}
              <Button size="compact" onClick={onTry}>
                {text.publish.tryFirst}
              </Button>
            </p>
            <Checkbox label={text.publish.force} isChecked={isForced} onChange={setForced} />
            {isForced && (
              <TextField
                label={text.publish.reason}
                value={reason}
                onChange={setReason}
                hint={text.publish.reasonHint}
              />
            )}
          </>
        )}
        <Unsaved
          isUnsaved={(note !== "" || reason !== "") && !publish.isPending && !publish.data}
        />
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{ version: text.publish.version, description: text.publish.note }}
          />
        )}
      </div>
    </Dialog>
  );
}
