import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { NameDialog } from "../../ui/form/name-dialog";
import { type Agent, useUpdateAgent } from "./queries";
import { agentsText } from "./text";

/** Another name and purpose for an agent. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function EditDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const text = useText(agentsText);
  const { mutate, isPending, error } = useUpdateAgent();
  return (
    <NameDialog
      title={text.editTitle}
      verb={text.save}
      labels={{
        name: text.fields.name,
        description: text.fields.purpose,
        hint: text.fields.purposeHint,
      }}
      initial={agent}
      isPending={isPending}
      failure={failureOf(error)}
      onClose={onClose}
      onSubmit={(named) => mutate({ agent, ...named }, { onSuccess: onClose })}
    />
  );
}
