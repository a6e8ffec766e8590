import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { NameDialog } from "../../ui/form/name-dialog";
import { toast } from "../../ui/toast/toasts";
import { type Agent, useCreateAgent, useDeleteAgent, useUpdateAgent } from "./queries";
import { agentsText } from "./text";

/** What the list asks about. */
export type Asked =
  | { kind: "create" }
  | { kind: "edit"; agent: Agent }
  | { kind: "delete"; agent: Agent };

type Props = { workspaceId: string; asked: Asked; onClose: () => void };

// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function AgentDialogs({ workspaceId, asked, onClose }: Props) {
  switch (asked.kind) {
    case "create":
      return <Create workspaceId={workspaceId} onClose={onClose} />;
    case "edit":
      return <Edit agent={asked.agent} onClose={onClose} />;
    case "delete":
      return <Delete agent={asked.agent} onClose={onClose} />;
  }
}

function Create({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const text = useText(agentsText);
  const { mutate, isPending, error } = useCreateAgent(workspaceId);
  return (
    <NameDialog
      title={text.create}
      verb={text.createVerb}
      labels={{
        name: text.fields.name,
        description: text.fields.purpose,
        hint: text.fields.purposeHint,
      }}
      isPending={isPending}
      failure={failureOf(error)}
      onClose={onClose}
      onSubmit={(named) =>
        mutate(named, {
          onSuccess: () => {
            toast(text.created(named.name));
            onClose();
          },
        })
      }
    />
  );
}

function Edit({ agent, onClose }: { agent: Agent; onClose: () => void }) {
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

function Delete({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const text = useText(agentsText);
  const remove = useDeleteAgent();
  return (
    <ConfirmDelete
      thing={agent}
      name={agent.name}
      words={text}
      more={agent.is_published ? text.removeLive : undefined}
      isTyped={agent.is_published}
      remove={remove}
      failure={failureOf(remove.error)}
      onClose={onClose}
    />
  );
}
