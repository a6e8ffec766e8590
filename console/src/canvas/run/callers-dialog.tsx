import { failureOf } from "../../api/list";
import type { AdminWorkflow } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { canvasText } from "../text";
import { Callers, useCallers } from "./callers";

type Props = { workflow: AdminWorkflow; onClose: () => void };

/** Who would notice a change of a workflow. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function CallersDialog({ workflow, onClose }: Props) {
  const text = useText(canvasText);
  const { isKnown, error, workflows, agents } = useCallers(workflow);
  const failure = failureOf(error);
  const isNobody = isKnown && workflows.length + agents.length === 0;
  return (
    <Dialog
      isOpen
      isForReading
      onClose={onClose}
      title={text.callers.title}
      description={text.callers.why}
      actions={
        <Button kind="primary" onClick={onClose}>
          {text.close}
        </Button>
      }
    >
      {failure && <ErrorLine failure={failure} />}
      {isNobody ? <p>{text.callers.none}</p> : <Callers workflow={workflow} />}
    </Dialog>
  );
}
