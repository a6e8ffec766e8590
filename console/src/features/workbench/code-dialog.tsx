import type { AdminAgent } from "../../api/schema";
import { reachText } from "../../reach/text";
import { useText } from "../../text/catalogue";
import { Banner } from "../../ui/banner/banner";
import { Dialog } from "../../ui/dialog/dialog";
import { Reach } from "./reach";
import { workbenchText } from "./text";

type Props = { agent: AdminAgent; onClose: () => void };

/** How the agent is called and shared. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function CodeDialog({ agent, onClose }: Props) {
  const text = useText(workbenchText).reach;
  // What a part of the dialog waits for would close it: all words are here before it opens.
  useText(reachText);
  return (
    <Dialog isOpen isForReading size="wide" onClose={onClose} title={text.title(agent.name)}>
      {agent.live_version === "" && <Banner tone="warn">{text.unpublished}</Banner>}
      <Reach workspaceId={agent.workspace_id} agentId={agent.id} />
    </Dialog>
  );
}
