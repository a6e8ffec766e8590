import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import Confirm from "../../../ui/confirm/confirm";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { TextField } from "../../../ui/text-field/text-field";
import { toast } from "../../../ui/toast/toasts";
import { type Document, useBatch, useUpdateDocument } from "./queries";
import { TagDialog } from "./tag-dialog";
import { baseText } from "./text";

/** What the list asks about. */
export type Asked =
  | { kind: "rename"; document: Document }
  | { kind: "tag"; documents: readonly Document[] }
  | { kind: "delete"; documents: readonly Document[] };

type Props = { baseId: string; asked: Asked; onClose: () => void; onDone: () => void };

// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function DocumentDialogs({ baseId, asked, onClose, onDone }: Props) {
  switch (asked.kind) {
    case "rename":
      return <Rename document={asked.document} onClose={onClose} />;
    case "tag":
      return (
        <TagDialog baseId={baseId} documents={asked.documents} onClose={onClose} onDone={onDone} />
      );
    case "delete":
      return (
        <Delete baseId={baseId} documents={asked.documents} onClose={onClose} onDone={onDone} />
      );
  }
}

function Rename({ document, onClose }: { document: Document; onClose: () => void }) {
  const { documents: text } = useText(baseText);
  const [name, setName] = useState(document.name);
  const { mutate, isPending, error } = useUpdateDocument(document.dataset_id);
  const failure = failureOf(error);
  const save = () => mutate({ id: document.id, name: name.trim() }, { onSuccess: onClose });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.renameTitle}
      actions={
        <Button kind="primary" isLoading={isPending} disabled={!name.trim()} onClick={save}>
          {text.save}
        </Button>
      }
    >
      <Form
        isChanged={name.trim() !== document.name}
        isSaving={isPending}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim()) save();
        }}
      >
        <TextField
          label={text.renameLabel}
          value={name}
          onChange={setName}
          maxLength={255}
          autoComplete="off"
          required
          autoFocus
        />
        {failure && <ErrorLine failure={failure} labels={{ name: text.renameLabel }} />}
      </Form>
    </Dialog>
  );
}

type Many = {
  baseId: string;
  documents: readonly Document[];
  onClose: () => void;
  onDone: () => void;
};

function Delete({ baseId, documents, onClose, onDone }: Many) {
  const { documents: text } = useText(baseText);
  const { mutate, isPending, error } = useBatch(baseId);
  const [first] = documents;
  const isOne = documents.length === 1 && first !== undefined;
  return (
    <Confirm
      isOpen
      title={isOne ? text.removeTitle(first.name) : text.removeMany(documents.length)}
      verb={isOne ? text.removeVerb : text.removeManyVerb}
      isPending={isPending}
      failure={failureOf(error)}
      onClose={onClose}
      onConfirm={() =>
        mutate(
          { ids: documents.map((document) => document.id), action: "delete" },
          {
            onSuccess: () => {
              toast(isOne ? text.removed(first.name) : text.removedMany(documents.length));
              onClose();
              onDone();
            },
          },
        )
      }
    >
      {text.removeWhy}
    </Confirm>
  );
}
