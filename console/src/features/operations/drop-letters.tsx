import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { TextField } from "../../ui/text-field/text-field";
import { toast } from "../../ui/toast/toasts";
import { type LetterFilter, useDropLetters } from "./queries";
import { operationsText } from "./text";

const MAX_CHARS = 500;

type Props = {
  filter: LetterFilter;
  count: number;
  onDropped: () => void;
  onClose: () => void;
};

/** Asks why letters are dropped, for the audit log. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function DropLetters({ filter, count, onDropped, onClose }: Props) {
  const { letters: text } = useText(operationsText);
  const drop = useDropLetters();
  const failure = failureOf(drop.error);
  const form = useId();
  const [reason, setReason] = useState("");
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!reason.trim()) return;
    drop.mutate(
      { filter, reason },
      {
        onSuccess: ({ count: dropped }) => {
          toast(text.dropped(dropped));
          onDropped();
          onClose();
        },
      },
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.dropTitle(count)}
      description={text.dropWhy}
      size="small"
      actions={
        <Button
          kind="danger"
          type="submit"
          form={form}
          isLoading={drop.isPending}
          aria-disabled={!reason.trim()}
        >
          {text.dropVerb(count)}
        </Button>
      }
    >
      <Form entered={reason} isSaving={drop.isPending} id={form} onSubmit={submit}>
        <TextField
          label={text.reason}
          hint={text.reasonHint}
          value={reason}
          maxLength={MAX_CHARS}
          required
          onChange={setReason}
        />
      </Form>
      {failure && <ErrorLine failure={failure} labels={{ reason: text.reason }} />}
    </Dialog>
  );
}
