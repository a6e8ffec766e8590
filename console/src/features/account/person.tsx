import { type FormEvent, useState } from "react";
import { failureOf } from "../../api/list";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { Section } from "../../ui/page/section";
import { TextField } from "../../ui/text-field/text-field";
import { toast } from "../../ui/toast/toasts";
import styles from "./form.module.css";
import { useSaveName } from "./queries";
import { accountText } from "./text";

/** The name that others see. */
export function Person() {
  const text = useText(accountText);
  const { user } = useSession();
  const [name, setName] = useState(user.nickname);
  const { mutate, isPending, error } = useSaveName();
  const failure = failureOf(error);
  const isChanged = name.trim() !== user.nickname;
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate(name.trim(), { onSuccess: () => toast(text.saved) });
  }
  return (
    <Section title={text.person}>
      <Form isChanged={isChanged} isSaving={isPending} onSubmit={submit} className={styles.form}>
        <TextField
          label={text.name}
          value={name}
          onChange={setName}
          autoComplete="name"
          maxLength={50}
        />
        {failure && (
          <ErrorLine failure={failure} labels={{ name: text.name, nickname: text.name }} />
        )}
        <Button type="submit" disabled={!isChanged} isLoading={isPending}>
          {text.save}
        </Button>
      </Form>
    </Section>
  );
}
