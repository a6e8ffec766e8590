import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../api/list";
import { may, useSession } from "../session/session";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { ConfirmDelete } from "../ui/confirm/confirm-delete";
import { Dialog } from "../ui/dialog/dialog";
import { ErrorLine } from "../ui/error-state/error-line";
import { Form } from "../ui/form/form";
import { Select } from "../ui/select/select";
import { uiText } from "../ui/text";
import { TextField } from "../ui/text-field/text-field";
import { toast } from "../ui/toast/toasts";
import styles from "./agent-dialogs.module.css";
import {
  type KnownAgent,
  markTemplate,
  restoreAgent,
  useDeleteAgent,
  useDuplicateAgent,
  useRefreshAgents,
} from "./queries";
import { agentText } from "./text";

/** What is asked before something is done with an agent as a whole. */
export type AskedOfAgent =
  | { kind: "duplicate"; agent: KnownAgent }
  | { kind: "template"; agent: KnownAgent }
  | { kind: "delete"; agent: KnownAgent };

type Props = {
  asked: AskedOfAgent;
  onClose: () => void;
  /** Leads to an agent that was made. */
  onOpen: (workspaceId: string, agentId: string) => void;
  /** Leaves what shows an agent that is no longer there. */
  onDeleted?: () => void;
};

// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function AgentDialogs({ asked, ...props }: Props) {
  switch (asked.kind) {
    case "duplicate":
      return <Duplicate agent={asked.agent} {...props} />;
    case "template":
      return <Template agent={asked.agent} {...props} />;
    case "delete":
      return <Delete agent={asked.agent} {...props} />;
  }
}

type PartProps = Omit<Props, "asked"> & { agent: KnownAgent };

function Duplicate({ agent, onClose, onOpen }: PartProps) {
  const text = useText(agentText);
  const { cancel } = useText(uiText);
  const { workspaces } = useSession();
  const [name, setName] = useState(text.duplicateName(agent.name));
  const [target, setTarget] = useState(agent.workspace_id);
  const duplicate = useDuplicateAgent();
  const form = useId();
  const targets = workspaces.filter((each) => may(each, "bot.write"));
  const failure = failureOf(duplicate.error);
  function submit(event: FormEvent): void {
    event.preventDefault();
    duplicate.mutate(
      { id: agent.id, name: name.trim(), workspaceId: target },
      {
        onSuccess: (made) => {
          toast(text.duplicated(made.name), {
            label: text.open,
            run: () => onOpen(made.workspace_id, made.id),
          });
          onClose();
        },
      },
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.duplicateTitle(agent.name)}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!name.trim()}
            isLoading={duplicate.isPending}
          >
            {text.duplicateVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={[name, target]}
        isSaving={duplicate.isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        <TextField
          label={text.name}
          value={name}
          onChange={setName}
          autoComplete="off"
          maxLength={50}
          required
          autoFocus
        />
        {targets.length > 1 && (
          <Select
            label={text.workspace}
            value={target}
            options={targets.map((each) => ({ value: each.id, label: each.name }))}
            onChange={setTarget}
          />
        )}
        {target !== agent.workspace_id && <p className={styles.note}>{text.staysBehind}</p>}
        {failure && (
          <ErrorLine failure={failure} labels={{ name: text.name, workspace_id: text.workspace }} />
        )}
      </Form>
    </Dialog>
  );
}

function Template({ agent, onClose }: PartProps) {
  const text = useText(agentText);
  const { cancel } = useText(uiText);
  const [category, setCategory] = useState("");
  const refresh = useRefreshAgents();
  const mark = useMutation({
    mutationFn: () => markTemplate(agent, category.trim()),
    onSuccess: () => {
      toast(text.marked(agent.name));
      onClose();
      return refresh();
    },
  });
  const form = useId();
  const failure = failureOf(mark.error);
  function submit(event: FormEvent): void {
    event.preventDefault();
    mark.mutate();
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.templateTitle(agent.name)}
      description={text.templateWhy}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind="primary" type="submit" form={form} isLoading={mark.isPending}>
            {text.templateVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={category}
        isSaving={mark.isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        <TextField
          label={text.category}
          hint={text.categoryHint}
          value={category}
          onChange={setCategory}
          autoComplete="off"
          maxLength={50}
          autoFocus
        />
        {failure && <ErrorLine failure={failure} labels={{ category: text.category }} />}
      </Form>
    </Dialog>
  );
}

function Delete({ agent, onClose, onDeleted }: PartProps) {
  const text = useText(agentText);
  const remove = useDeleteAgent();
  const refresh = useRefreshAgents();
  /** Asked of a notice, when this dialog is gone. */
  async function undo(): Promise<void> {
    try {
      await restoreAgent(agent);
      toast(text.restored(agent.name));
      await refresh();
    } catch {
      toast(text.notRestored(agent.name));
    }
  }
  return (
    <ConfirmDelete
      thing={agent}
      name={agent.name}
      words={text}
      more={agent.is_published ? text.removeLive : undefined}
      isTyped={agent.is_published}
      remove={{
        isPending: remove.isPending,
        mutate: (thing, { onSuccess }) =>
          remove.mutate(thing, {
            onSuccess: () => {
              onSuccess();
              onDeleted?.();
            },
          }),
      }}
      failure={failureOf(remove.error)}
      undo={{ label: text.undo, run: () => void undo() }}
      onClose={onClose}
    />
  );
}
