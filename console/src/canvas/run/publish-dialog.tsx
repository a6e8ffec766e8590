import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, unwrap } from "../../api/client";
import { failureOf } from "../../api/list";
import type { AdminWorkflow } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Checkbox } from "../../ui/checkbox/checkbox";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import { toast } from "../../ui/toast/toasts";
import rows from "../forms/rows.module.css";
import { useProblems } from "../problems";
import { canvasText } from "../text";

type Props = {
  workflow: AdminWorkflow;
  onPublished: (workflow: AdminWorkflow) => void;
  onProblems: () => void;
  onClose: () => void;
};

/** Freezing the draft as a version: what hinders it, what it is called, what is new in it. */
export function PublishDialog({ workflow, onPublished, onProblems, onClose }: Props) {
  const text = useText(canvasText);
  const queries = useQueryClient();
  const { all } = useProblems();
  const errors = all.filter((each) => each.severity === "error").length;
  const warnings = all.filter((each) => each.severity === "warning").length;
  const [version, setVersion] = useState(() => nextVersion(workflow.latest_version));
  const [note, setNote] = useState("");
  const [isForced, setForced] = useState(false);
  const publish = useMutation({
    mutationFn: () =>
      unwrap(
        client.POST("/admin/v1/workflows/{workflow_id}/publish", {
          params: { path: { workflow_id: workflow.id } },
          body: { version, description: note, force: isForced },
        }),
      ),
    onSuccess: (answer) => {
      void queries.invalidateQueries({ queryKey: ["admin.workflows.list"] });
      toast(text.publish.done(answer.version.version));
      onPublished(answer.workflow);
      onClose();
    },
  });
  const failure = failureOf(publish.error);
  const canPublish = errors === 0 && (workflow.test_run_passed || isForced);
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
          hint={text.publish.versionHint}
        />
        <TextArea label={text.publish.note} value={note} rows={3} onChange={setNote} />
        {!workflow.test_run_passed && (
          <Checkbox label={text.publish.force} isChecked={isForced} onChange={setForced} />
        )}
        {failure && <ErrorLine failure={failure} />}
      </div>
    </Dialog>
  );
}

/** The version behind the last one: one more in its last number. */
function nextVersion(last: string): string {
  const found = /^(v?\d+\.\d+\.)(\d+)$/.exec(last);
  return found ? `${found[1]}${Number(found[2]) + 1}` : "v0.0.1";
}
