import { useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { NameDialog } from "../../ui/form/name-dialog";
import { Select } from "../../ui/select/select";
import { toast } from "../../ui/toast/toasts";
import { FieldList, newField } from "./field-list";
import { useCreateTable } from "./table/queries";
import { tableText } from "./table/text";

const MODES = ["1", "3", "2"] as const;

type Props = { workspaceId: string; onClose: () => void; onMade: (databaseId: string) => void };

/** A new table: its name, its fields, and whose rows are whose. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function NewTable({ workspaceId, onClose, onMade }: Props) {
  const text = useText(tableText);
  const [fields, setFields] = useState(() => [newField()]);
  const [mode, setMode] = useState<(typeof MODES)[number]>("1");
  const create = useCreateTable(workspaceId);
  return (
    <NameDialog
      size="wide"
      title={text.create.title}
      verb={text.create.verb}
      labels={{
        name: text.create.name,
        description: text.create.description,
        hint: text.create.descriptionHint,
      }}
      isPending={create.isPending}
      failure={failureOf(create.error)}
      onClose={onClose}
      onSubmit={({ name, description }) =>
        create.mutate(
          {
            table_name: name,
            table_desc: description,
            rw_mode: Number(mode),
            prompt_disabled: false,
            fields: fields.map(({ name: called, desc, type, must_required }) => ({
              name: called.trim(),
              desc,
              type,
              must_required,
            })),
          },
          {
            onSuccess: (table) => {
              toast(text.create.done(table.table_name));
              onMade(table.id);
            },
          },
        )
      }
    >
      <FieldList fields={fields} onChange={setFields} />
      <Select
        label={text.mode}
        hint={text.modeHints[mode]}
        value={mode}
        options={MODES.map((value) => ({ value, label: text.modes[value] }))}
        onChange={setMode}
      />
    </NameDialog>
  );
}
