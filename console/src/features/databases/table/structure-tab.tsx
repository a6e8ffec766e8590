import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { formatNames } from "../../../text/formats";
import { Banner } from "../../../ui/banner/banner";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { toast } from "../../../ui/toast/toasts";
import { type FieldDraft, FieldList } from "../field-list";
import type { DatabaseRow } from "../queries";
import { useUpdateTable } from "./queries";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

type Props = { table: DatabaseRow; canWrite: boolean };

/** The fields of a table, with what a change does to the cells that are there. */
export function StructureTab({ table, canWrite }: Props) {
  const { structure: text, fields: fieldText } = useText(tableText);
  const stored = table.fields.filter((field) => !field.is_system);
  const [fields, setFields] = useState<readonly FieldDraft[]>(() =>
    stored.map(({ id, name, desc, type, must_required }) => ({
      key: String(id),
      id,
      name,
      desc,
      type,
      must_required,
    })),
  );
  const save = useUpdateTable(table.id);
  const failure = failureOf(save.error);
  const kept = new Map(fields.map((field) => [field.id, field]));
  const dropped = stored.filter((field) => !kept.has(field.id)).map((field) => field.name);
  const converted = stored
    .filter((field) => (kept.get(field.id)?.type ?? field.type) !== field.type)
    .map((field) => field.name);
  const body = fields.map(({ key: _, name, ...field }) => ({ ...field, name: name.trim() }));
  const isChanged = JSON.stringify(body) !== JSON.stringify(stored.map(plain));
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate({ fields: body }, { onSuccess: () => toast(text.saved) });
  }
  return (
    <Form
      isChanged={isChanged}
      isSaving={save.isPending}
      onSubmit={submit}
      className={styles.structure}
    >
      <FieldList fields={fields} isDisabled={!canWrite} onChange={setFields} />
      {dropped.length > 0 && <Banner tone="warn">{text.dropped(formatNames(dropped))}</Banner>}
      {converted.length > 0 && (
        <Banner tone="info">{text.converted(formatNames(converted))}</Banner>
      )}
      {failure && <ErrorLine failure={failure} labels={{ fields: fieldText.title }} />}
      {canWrite && (
        <div>
          <Button
            kind="primary"
            type="submit"
            disabled={!isChanged || fields.some((field) => !field.name.trim())}
            isLoading={save.isPending}
          >
            {text.save}
          </Button>
        </div>
      )}
    </Form>
  );
}

function plain({ id, name, desc, type, must_required }: DatabaseRow["fields"][number]) {
  return { id, desc, type, must_required, name };
}
