import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { Select } from "../../../ui/select/select";
import { uiText } from "../../../ui/text";
import { TextField } from "../../../ui/text-field/text-field";
import { type Target, useInsertRows } from "./queries";
import { BOOLEAN, booleanChoices, cellOf, type Field, problemOf } from "./rules";
import styles from "./table-screen.module.css";
import { tableText } from "./text";

type Props = { target: Target; fields: readonly Field[]; onClose: () => void };

/** One new row, field by field. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function RowDialog({ target, fields, onClose }: Props) {
  const text = useText(tableText);
  const { cancel } = useText(uiText);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [isChecked, setChecked] = useState(false);
  const insert = useInsertRows(target);
  const failure = failureOf(insert.error);
  const form = useId();
  const types: Readonly<Record<number, string>> = text.fields.types;
  const wrong = (field: Field) => problemOf(field, typed[field.name] ?? "");
  function submit(event: FormEvent): void {
    event.preventDefault();
    setChecked(true);
    if (fields.some(wrong)) return;
    const row = Object.fromEntries(
      fields.map((field) => [field.name, cellOf(field, typed[field.name] ?? "")]),
    );
    insert.mutate([row], { onSuccess: onClose });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.addRow}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind="primary" type="submit" form={form} isLoading={insert.isPending}>
            {text.add}
          </Button>
        </>
      }
    >
      <Form
        entered={typed}
        isSaving={insert.isPending}
        id={form}
        onSubmit={submit}
        noValidate
        className={styles.form}
      >
        {fields.map((field) => {
          const problem = isChecked ? wrong(field) : undefined;
          const kind = types[field.type] ?? "";
          const facts = {
            label: field.name,
            hint: field.desc ? `${kind} · ${field.desc}` : kind,
            error: problem && text.cellProblems[problem](field.name),
            value: typed[field.name] ?? "",
            onChange: (value: string) => setTyped({ ...typed, [field.name]: value }),
          };
          return field.type === BOOLEAN ? (
            <Select
              key={field.id}
              {...facts}
              isRequired={field.must_required}
              options={booleanChoices(text.booleans)}
            />
          ) : (
            <TextField
              key={field.id}
              {...facts}
              required={field.must_required}
              autoComplete="off"
            />
          );
        })}
        {failure && <ErrorLine failure={failure} labels={{ records: text.addRow }} />}
      </Form>
    </Dialog>
  );
}
