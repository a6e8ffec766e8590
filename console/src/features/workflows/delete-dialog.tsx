import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { toast } from "../../ui/toast/toasts";
import { useBringBack, useDeleteWorkflow, type WorkflowRow } from "./queries";
import { workflowsText } from "./text";

type Props = { workflow: WorkflowRow; onClose: () => void };

/** Asks before a workflow goes. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function DeleteDialog({ workflow, onClose }: Props) {
  const text = useText(workflowsText);
  const remove = useDeleteWorkflow();
  const bringBack = useBringBack();
  const undo = () =>
    void bringBack(workflow.id).then(
      () => toast(text.broughtBack(workflow.name)),
      () => toast(text.notBroughtBack(workflow.name)),
    );
  return (
    <ConfirmDelete
      thing={workflow}
      words={text}
      name={workflow.name}
      isTyped={workflow.is_published}
      remove={remove}
      failure={failureOf(remove.error)}
      undo={{ label: text.undo, run: undo }}
      onClose={onClose}
    />
  );
}
