import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Checkbox } from "../../ui/checkbox/checkbox";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { uiText } from "../../ui/text";
import { TextField } from "../../ui/text-field/text-field";
import styles from "./administration.module.css";
import LinkShown from "./link-shown";
import { useCreateUser } from "./queries";
import { administrationText } from "./text";

/** An account to make, and then the link by which its owner gets in. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function NewUser({ onClose }: { onClose: () => void }) {
  const { users: text } = useText(administrationText);
  const { cancel } = useText(uiText);
  const [name, setName] = useState("");
  const [nickname, setNickname] = useState("");
  const [email, setEmail] = useState("");
  const [isAdmin, setAdmin] = useState(false);
  const { mutate, data, isPending, error } = useCreateUser();
  const failure = failureOf(error);
  const form = useId();
  if (data) {
    const { user, url } = data;
    return <LinkShown name={user.nickname || user.name} url={url} onClose={onClose} />;
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate({
      name: name.trim(),
      is_admin: isAdmin,
      ...(nickname.trim() && { nickname: nickname.trim() }),
      ...(email.trim() && { email: email.trim() }),
    });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.createTitle}
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
            {text.createVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={[name, nickname, email, isAdmin]}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={name}
          onChange={setName}
          maxLength={20}
          autoComplete="off"
          required
          autoFocus
        />
        <TextField
          label={text.nickname}
          value={nickname}
          onChange={setNickname}
          maxLength={50}
          autoComplete="off"
        />
        <TextField
          label={text.email}
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="off"
        />
        <Checkbox label={text.isAdmin} isChecked={isAdmin} onChange={setAdmin} />
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{
              name: text.name,
              nickname: text.nickname,
              email: text.email,
            }}
          />
        )}
      </Form>
    </Dialog>
  );
}
