import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Unsaved } from "../../../ui/form/unsaved";
import { TextArea } from "../../../ui/text-field/text-area";
import { useAddSlice } from "./queries";
import { documentText } from "./text";

/** A slice that no file said; it stands behind the last one. */
export function AddSlice({ documentId, onClose }: { documentId: string; onClose: () => void }) {
  const text = useText(documentText);
  const [content, setContent] = useState("");
  const { mutate, isPending, error } = useAddSlice(documentId);
  const failure = failureOf(error);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.addTitle}
      actions={
        <Button
          kind="primary"
          disabled={!content.trim()}
          isLoading={isPending}
          onClick={() => mutate({ content }, { onSuccess: onClose })}
        >
          {text.add}
        </Button>
      }
    >
      <TextArea label={text.addLabel} value={content} rows={8} onChange={setContent} autoFocus />
      <Unsaved isUnsaved={content !== "" && !isPending} />
      {failure && <ErrorLine failure={failure} labels={{ content: text.addLabel }} />}
    </Dialog>
  );
}
