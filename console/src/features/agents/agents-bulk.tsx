import { deleteAgent, restoreAgent, useRefreshAgents } from "../../agent/queries";
import { inTurn } from "../../api/in-turn";
import BulkDelete from "../../ui/list/bulk-delete";
import type { Agent } from "./queries";

type Props = { agents: readonly Agent[]; onClear: () => void };

/** What can be done with the chosen agents together. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function AgentsBulk({ agents, onClear }: Props) {
  const refresh = useRefreshAgents();
  return (
    <BulkDelete
      things={agents}
      remove={(doomed) => inTurn(doomed, deleteAgent, refresh)}
      restore={(gone) => inTurn(gone, restoreAgent, refresh)}
      onClear={onClear}
    />
  );
}
