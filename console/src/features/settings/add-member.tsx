import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../api/list";
import type { Role } from "../../api/schema";
import { findAccounts } from "../../groups/queries";
import { useSession, type Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Combobox } from "../../ui/combobox/combobox";
import type { ComboboxOption } from "../../ui/combobox/options";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import fields from "../../ui/field/fields.module.css";
import { Form } from "../../ui/form/form";
import { uiText } from "../../ui/text";
import { TextField } from "../../ui/text-field/text-field";
import { toast } from "../../ui/toast/toasts";
import { useAddMember } from "./queries";
import { RoleCards } from "./role-cards";
import { rolesFor } from "./roles";
import { settingsText } from "./text";

type Props = { workspace: Workspace; onClose: () => void };

/** An account to let in: found by administrators of the deployment, named by all others. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function AddMember({ workspace, onClose }: Props) {
  const { members: text } = useText(settingsText);
  const { cancel } = useText(uiText);
  const { user } = useSession();
  const [name, setName] = useState("");
  const [account, setAccount] = useState<ComboboxOption>();
  const [role, setRole] = useState<Role>("editor");
  const { mutate, isPending, error } = useAddMember(workspace.id);
  const failure = failureOf(error);
  const form = useId();
  const who = account ? { user_id: account.value } : { name: name.trim() };
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate(
      { ...who, role },
      {
        onSuccess: (member) => {
          toast(text.added(member.nickname || member.name));
          onClose();
        },
      },
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.addTitle}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!account && !name.trim()}
            isLoading={isPending}
          >
            {text.add}
          </Button>
        </>
      }
    >
      <Form
        entered={[name, account, role]}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={fields.fields}
      >
        {user.is_admin ? (
          <Combobox
            label={text.account}
            value={account}
            options={findAccounts}
            onChange={setAccount}
            isRequired
          />
        ) : (
          <TextField
            label={text.account}
            hint={text.accountHint}
            value={name}
            onChange={setName}
            autoComplete="off"
            required
            autoFocus
          />
        )}
        <RoleCards roles={rolesFor(workspace.role)} value={role} onChange={setRole} />
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{ name: text.account, user_id: text.account, role: text.role }}
          />
        )}
      </Form>
    </Dialog>
  );
}
