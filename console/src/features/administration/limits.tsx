import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../api/list";
import type { WorkspaceLimits } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import fields from "../../ui/field/fields.module.css";
import { Form } from "../../ui/form/form";
import { NumberField } from "../../ui/number/number-field";
import { uiText } from "../../ui/text";
import { toast } from "../../ui/toast/toasts";
import styles from "./administration.module.css";
import { useChangeWorkspace, type WorkspaceRow } from "./queries";
import { administrationText } from "./text";

const MIB = 1024 * 1024;
const FIELDS = ["bytes", "files", "documents", "rows", "runs", "runs_per_min"] as const;
type Field = (typeof FIELDS)[number];

/** What one workspace may have, in place of what the deployment allows every one. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Limits(props: { workspace: WorkspaceRow; onClose: () => void }) {
  const { workspace, onClose } = props;
  const { workspaces: text } = useText(administrationText);
  const { cancel } = useText(uiText);
  const [limits, setLimits] = useState<WorkspaceLimits>(workspace.limits);
  const labels = Object.fromEntries(
    Object.entries(text.fields).map(([name, label]) => [`limits.${name}`, label]),
  );
  const { mutate, isPending, error } = useChangeWorkspace();
  const failure = failureOf(error);
  const form = useId();
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate(
      { id: workspace.id, limits },
      {
        onSuccess: () => {
          toast(text.limitsSaved(workspace.name));
          onClose();
        },
      },
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.limitsTitle(workspace.name)}
      description={text.limitsWhy}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind="primary" type="submit" form={form} isLoading={isPending}>
            {text.limitsVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={limits}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        <div className={fields.pair}>
          {FIELDS.map((field) => (
            <NumberField
              key={field}
              label={text.fields[field]}
              {...(field === "bytes" && { unit: text.mebibytes })}
              placeholder={text.asDeployment}
              min={0}
              value={shown(field, limits[field])}
              onChange={(value) => setLimits({ ...limits, [field]: kept(field, value) })}
            />
          ))}
        </div>
        {failure && <ErrorLine failure={failure} labels={labels} />}
      </Form>
    </Dialog>
  );
}

/** People think of sizes in mebibytes. */
function shown(field: Field, value: number | null | undefined): number | undefined {
  if (value === null || value === undefined) return undefined;
  return field === "bytes" ? value / MIB : value;
}

function kept(field: Field, value: number | undefined): number | null {
  if (value === undefined) return null;
  return Math.round(field === "bytes" ? value * MIB : value);
}
