import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { uiText } from "../../../ui/text";
import { TextField } from "../../../ui/text-field/text-field";
import type { Document } from "../base/queries";
import { importText } from "../import/text";
import { useAddSlice, useEditSlice } from "./queries";
import { numberOf, type Row, shownCell } from "./rows";
import styles from "./rows-pane.module.css";
import { documentText } from "./text";

type Props = { document: Document; row: Row | undefined; onClose: () => void };

/** The cells of a row, or of a new one. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function RowDialog({ document, row, onClose }: Props) {
  const text = useText(documentText);
  const types: Readonly<Record<string, string>> = useText(importText).table.types;
  const { cancel } = useText(uiText);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const add = useAddSlice(document.id);
  const edit = useEditSlice(document.id);
  const failure = failureOf(add.error ?? edit.error);
  const form = useId();
  function submit(event: FormEvent): void {
    event.preventDefault();
    const content = JSON.stringify(typed);
    if (row) edit.mutate({ id: row.slice.id, content }, { onSuccess: onClose });
    else add.mutate({ content }, { onSuccess: onClose });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={row ? text.row(numberOf(row)) : text.rows.add}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={Object.keys(typed).length === 0}
            isLoading={add.isPending || edit.isPending}
          >
            {row ? text.save : text.rows.add}
          </Button>
        </>
      }
    >
      <Form
        id={form}
        onSubmit={submit}
        className={styles.form}
        entered={typed}
        isSaving={add.isPending || edit.isPending}
      >
        {document.table_meta.map((column) => {
          const { column_name: name, desc } = column;
          const kind = types[String(column.column_type)] ?? "";
          return (
            <TextField
              key={column.id}
              label={name}
              hint={desc ? `${kind} · ${desc}` : kind}
              value={typed[name] ?? shownCell(row?.cells[name])}
              onChange={(value) => setTyped({ ...typed, [name]: value })}
              autoComplete="off"
              required={column.is_semantic}
            />
          );
        })}
        {failure && <ErrorLine failure={failure} labels={{ content: text.rows.place }} />}
      </Form>
    </Dialog>
  );
}
