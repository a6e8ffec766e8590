import { inTurn } from "../../api/in-turn";
import { useText } from "../../text/catalogue";
import BulkDelete from "../../ui/list/bulk-delete";
import { createPrompt, deletePrompt, type Prompt, useRefreshPrompts } from "./queries";
import { promptsText } from "./text";

type Props = { workspaceId: string; prompts: readonly Prompt[]; onClear: () => void };

/** What can be done with the chosen prompts together. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function PromptsBulk({ workspaceId, prompts, onClear }: Props) {
  const text = useText(promptsText);
  const refresh = useRefreshPrompts();
  return (
    <BulkDelete
      things={prompts}
      remove={(doomed) => inTurn(doomed, (each) => deletePrompt(workspaceId, each), refresh)}
      restore={(gone) => inTurn(gone, (each) => createPrompt(workspaceId, each), refresh)}
      why={text.removeWhy}
      onClear={onClear}
    />
  );
}
