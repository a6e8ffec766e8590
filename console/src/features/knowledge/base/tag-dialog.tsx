import { Plus, X } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Unsaved } from "../../../ui/form/unsaved";
import { TextField } from "../../../ui/text-field/text-field";
import { toast } from "../../../ui/toast/toasts";
import { type Document, useBatch } from "./queries";
import styles from "./tag-dialog.module.css";
import { spelled, type Tags } from "./tags";
import { baseText } from "./text";

type Props = {
  baseId: string;
  documents: readonly Document[];
  onClose: () => void;
  onDone: () => void;
};

type Row = { key: string; name: string; value: string; kept?: Tags[string] };

/** The tags of one document, or tags that are added to several. */
export function TagDialog({ baseId, documents, onClose, onDone }: Props) {
  const { tagDialog: text, documents: words } = useText(baseText);
  const [first] = documents;
  const before = documents.length === 1 && first ? first.tags : {};
  const [rows, setRows] = useState<readonly Row[]>(() => [
    ...Object.entries(before).map(([name, value]) => row(name, value)),
    ...(Object.keys(before).length === 0 ? [row("", "")] : []),
  ]);
  const { mutate, isPending, error } = useBatch(baseId);
  const failure = failureOf(error);
  const entered = JSON.stringify(rows);
  const [untouched] = useState(entered);
  const named = rows.filter(({ name }) => name.trim());
  const change = (key: string, part: Partial<Row>) =>
    setRows(rows.map((each) => (each.key === key ? { ...each, ...part } : each)));
  function save(): void {
    const gone = Object.keys(before).map((name) => [name, null] as const);
    const kept = named.map(
      ({ name, value, kept: old }) => [name.trim(), meant(value, old)] as const,
    );
    const tags = Object.fromEntries([...gone, ...kept]);
    mutate(
      { ids: documents.map((document) => document.id), action: "tag", tags },
      {
        onSuccess: () => {
          toast(words.done(documents.length));
          onClose();
          onDone();
        },
      },
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title}
      description={text.why}
      actions={
        <Button
          kind="primary"
          isLoading={isPending}
          disabled={named.length === 0 && Object.keys(before).length === 0}
          onClick={save}
        >
          {documents.length === 1 ? text.save : text.apply}
        </Button>
      }
    >
      <div className={styles.rows}>
        {rows.map((each) => (
          <div key={each.key} className={styles.row}>
            <TextField
              label={text.name}
              value={each.name}
              maxLength={64}
              autoComplete="off"
              onChange={(name) => change(each.key, { name })}
            />
            <TextField
              label={text.value}
              value={each.value}
              maxLength={256}
              autoComplete="off"
              onChange={(value) => change(each.key, { value })}
            />
            <IconButton
              label={text.remove(each.name)}
              icon={<X size={16} />}
              onClick={() => setRows(rows.filter(({ key }) => key !== each.key))}
            />
          </div>
        ))}
        <Button
          kind="quiet"
          icon={<Plus size={16} />}
          onClick={() => setRows([...rows, row("", "")])}
        >
          {text.add}
        </Button>
        <Unsaved isUnsaved={entered !== untouched && !isPending} />
        {failure && <ErrorLine failure={failure} labels={{ tags: text.title }} />}
      </div>
    </Dialog>
  );
}

function row(name: string, value: Tags[string]): Row {
  return { key: crypto.randomUUID(), name, value: spelled(value), kept: value };
}

/** A value as it was where it was not touched, else the number, flag or text that was typed. */
function meant(
  typed: string,
  kept: Tags[string] | undefined,
): string | number | boolean | string[] {
  if (kept !== undefined && kept !== "" && spelled(kept) === typed)
    return typeof kept === "object" ? [...kept] : kept;
  const plain = typed.trim();
  if (plain === "true" || plain === "false") return plain === "true";
  return /^-?\d{1,15}(\.\d+)?$/.test(plain) ? Number(plain) : plain;
}
