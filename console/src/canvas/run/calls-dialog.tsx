import type { AdminWorkflow } from "../../api/schema";
import { reachText } from "../../reach/text";
import { useText } from "../../text/catalogue";
import { Banner } from "../../ui/banner/banner";
import { Dialog } from "../../ui/dialog/dialog";
import { canvasText } from "../text";
import { WorkflowCalls } from "./workflow-calls";

type Props = { workflow: AdminWorkflow; onClose: () => void };

/** How the newest version of a workflow is called. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function CallsDialog({ workflow, onClose }: Props) {
  const text = useText(canvasText).calls;
  // What a part of the dialog waits for would close it: all words are here before it opens.
  useText(reachText);
  return (
    <Dialog isOpen isForReading size="wide" onClose={onClose} title={text.title(workflow.name)}>
      {!workflow.is_published && <Banner tone="warn">{text.unpublished}</Banner>}
      <WorkflowCalls workflow={workflow} />
    </Dialog>
  );
}
