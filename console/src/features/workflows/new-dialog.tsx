import { useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { NameDialog } from "../../ui/form/name-dialog";
import { RadioCards } from "../../ui/radio-cards/radio-cards";
import { useCreateWorkflow } from "./queries";
import { workflowsText } from "./text";

const KINDS = ["workflow", "chatflow"] as const;

type Props = { workspaceId: string; onClose: () => void; onMade: (id: string) => void };

/** What a new workflow is called, and whether it answers in a conversation. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function NewDialog({ workspaceId, onClose, onMade }: Props) {
  const text = useText(workflowsText);
  const { mutate, isPending, error } = useCreateWorkflow(workspaceId);
  const [kind, setKind] = useState<(typeof KINDS)[number]>("workflow");
  return (
    <NameDialog
      title={text.create}
      verb={text.createVerb}
      labels={{ name: text.name, description: text.purpose, hint: text.purposeHint }}
      isPending={isPending}
      failure={failureOf(error)}
      onClose={onClose}
      onSubmit={(named) =>
        mutate(
          { ...named, mode: kind === "chatflow" ? 3 : 0 },
          { onSuccess: (made) => onMade(made.id) },
        )
      }
    >
      <RadioCards
        label={text.columns.kind}
        columns={2}
        value={kind}
        options={KINDS.map((each) => ({
          value: each,
          label: text.kinds[each],
          note: text.kindHints[each],
        }))}
        onChange={setKind}
      />
    </NameDialog>
  );
}
