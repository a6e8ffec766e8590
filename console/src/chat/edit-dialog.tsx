import { useState } from "react";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { Dialog } from "../ui/dialog/dialog";
import { TextArea } from "../ui/text-field/text-area";
import { chatText } from "./text";
import type { Turn } from "./turn";

type EditProps = { turn: Turn; onClose: () => void; onSend: (text: string) => void };

/** Asks for other words of a question. */
export function EditDialog({ turn, onClose, onSend }: EditProps) {
  const text = useText(chatText);
  const [value, setValue] = useState(turn.question?.text ?? "");
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.editTitle}
      description={text.editWhy}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button kind="primary" disabled={!value.trim()} onClick={() => onSend(value.trim())}>
            {text.send}
          </Button>
        </>
      }
    >
      <TextArea label={text.message} isLabelHidden value={value} onChange={setValue} />
    </Dialog>
  );
}
