import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../api/list";
import { useSession, type Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import fields from "../../ui/field/fields.module.css";
import { Form } from "../../ui/form/form";
import { Select } from "../../ui/select/select";
import { uiText } from "../../ui/text";
import { toast } from "../../ui/toast/toasts";
import { useMembers, useTransfer } from "./queries";
import styles from "./settings.module.css";
import { settingsText } from "./text";

type Props = { workspace: Workspace; onClose: () => void };

/** Makes a member the owner in one's own place. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Transfer({ workspace, onClose }: Props) {
  const { transfer: text } = useText(settingsText);
  const { cancel } = useText(uiText);
  const { user } = useSession();
  const { rows, isPending: isLoading } = useMembers(workspace.id);
  const [heir, setHeir] = useState<string>();
  const { mutate, isPending, error } = useTransfer(workspace.id);
  const failure = failureOf(error);
  const form = useId();
  const others = rows.filter((each) => each.user_id !== user.id);
  const nameOf = (id: string) => {
    const member = others.find((each) => each.user_id === id);
    return member?.nickname || member?.name || id;
  };
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!heir) return;
    mutate(heir, {
      onSuccess: () => {
        toast(text.done(nameOf(heir)));
        onClose();
      },
    });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title(workspace.name)}
      description={text.why}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind="primary" type="submit" form={form} disabled={!heir} isLoading={isPending}>
            {text.verb}
          </Button>
        </>
      }
    >
      <Form
        entered={heir}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={fields.fields}
      >
        {!isLoading && others.length === 0 ? (
          <p className={styles.note}>{text.alone}</p>
        ) : (
          <Select
            label={text.heir}
            value={heir}
            placeholder={text.choose}
            options={others.map((each) => ({
              value: each.user_id,
              label: nameOf(each.user_id),
            }))}
            onChange={setHeir}
          />
        )}
        {failure && <ErrorLine failure={failure} labels={{ user_id: text.heir }} />}
      </Form>
    </Dialog>
  );
}
