import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useCallback, useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Combobox } from "../../ui/combobox/combobox";
import type { ComboboxOption } from "../../ui/combobox/options";
import { Dialog } from "../../ui/dialog/dialog";
import { uiText } from "../../ui/text";
import { findBases } from "./queries";
import { knowledgeText } from "./text";

type Props = { workspaceId: string; onCreate: () => void; onClose: () => void };

/** Which base documents are brought into; a new one if none of them fits. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ImportInto({ workspaceId, onCreate, onClose }: Props) {
  const { into: text } = useText(knowledgeText);
  const { cancel } = useText(uiText);
  const navigate = useNavigate();
  const [base, setBase] = useState<ComboboxOption>();
  const find = useCallback(
    (q: string, signal: AbortSignal) => findBases(workspaceId, q, signal),
    [workspaceId],
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="small"
      title={text.title}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            disabled={!base}
            onClick={() =>
              base &&
              void navigate({
                to: "/w/$workspaceId/knowledge/$baseId/import",
                params: { workspaceId, baseId: base.value },
              })
            }
          >
            {text.verb}
          </Button>
        </>
      }
    >
      <Combobox label={text.base} value={base} options={find} onChange={setBase} />
      <div>
        <Button kind="quiet" size="compact" icon={<Plus size={14} />} onClick={onCreate}>
          {text.create}
        </Button>
      </div>
    </Dialog>
  );
}
