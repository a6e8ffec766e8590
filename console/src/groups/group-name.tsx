import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../api/list";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { Dialog } from "../ui/dialog/dialog";
import { ErrorLine } from "../ui/error-state/error-line";
import { Form } from "../ui/form/form";
import { uiText } from "../ui/text";
import { TextField } from "../ui/text-field/text-field";
import styles from "./groups.module.css";
import { type Group, useNameGroup } from "./queries";
import { groupsText } from "./text";

type Props = {
  /** Absent: a group of the deployment. */
  workspaceId: string | undefined;
  /** Absent: a new one. */
  group?: Group | undefined;
  onDone: (group: Group) => void;
  onClose: () => void;
};

/** What a group is called. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function GroupName({ workspaceId, group, onDone, onClose }: Props) {
  const text = useText(groupsText);
  const { cancel } = useText(uiText);
  const [name, setName] = useState(group?.name ?? "");
  const { mutate, isPending, error } = useNameGroup(workspaceId, group?.id);
  const failure = failureOf(error);
  const form = useId();
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate(name.trim(), { onSuccess: onDone });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="small"
      title={group ? text.renameTitle(group.name) : text.createTitle}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!name.trim()}
            isLoading={isPending}
          >
            {group ? text.rename : text.createVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={name}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={styles.dialog}
      >
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={name}
          onChange={setName}
          maxLength={50}
          autoComplete="off"
          required
          autoFocus
        />
        {failure && <ErrorLine failure={failure} labels={{ name: text.name }} />}
      </Form>
    </Dialog>
  );
}
