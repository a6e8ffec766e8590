import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { failureOf } from "../../api/list";
import { newIn } from "../../session/recovery";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { uiText } from "../../ui/text";
import { PromptDialog } from "./prompt-dialog";
import { type Prompt, promptQuery } from "./queries";
import { promptsText } from "./text";

type Props = {
  workspaceId: string;
  /** As the address names it. */
  promptId: string;
  /** What the list has of it. */
  known: Prompt | undefined;
  onClose: () => void;
};

/** The prompt that an address names, or a new one. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function OpenPrompt({ workspaceId, promptId, onClose, ...props }: Props) {
  const text = useText(promptsText);
  const { close } = useText(uiText);
  const isNew = promptId === newIn(workspaceId);
  // The list may lose the row while its prompt is written.
  const [known] = useState(props.known);
  const { data = known, error } = useQuery({
    ...promptQuery(workspaceId, promptId),
    enabled: !isNew && !known,
  });
  if (isNew || data)
    return <PromptDialog workspaceId={workspaceId} prompt={data} onClose={onClose} />;
  const failure = failureOf(error);
  return (
    failure && (
      <Dialog
        isOpen
        onClose={onClose}
        title={text.editTitle}
        actions={<Button onClick={onClose}>{close}</Button>}
      >
        <ErrorLine failure={failure} />
      </Dialog>
    )
  );
}
