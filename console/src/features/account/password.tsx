import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../api/list";
import { asApiError } from "../../api/queries";
import { NewPassword } from "../../session/new-password";
import { isWeak, strengthOf } from "../../session/password";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { Section } from "../../ui/page/section";
import { TextField } from "../../ui/text-field/text-field";
import { toast } from "../../ui/toast/toasts";
import styles from "./form.module.css";
import { meQuery, useChangePassword } from "./queries";
import { accountText } from "./text";

/** Another password; all other browsers are signed out with it. */
export function Password() {
  const text = useText(accountText);
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const { data: me } = useQuery(meQuery);
  const hasPassword = me?.has_password ?? true;
  const { user } = useSession();
  const names = [user.name, user.nickname];
  const { mutate, isPending, error } = useChangePassword();
  const isWrong = asApiError(error)?.status === 401;
  const failure = isWrong ? undefined : failureOf(error);
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate(
      { password: next, current: hasPassword ? current : null },
      {
        onSuccess: () => {
          setCurrent("");
          setNext("");
          toast(text.changed);
        },
      },
    );
  }
  return (
    <Section title={text.password}>
      <Form
        entered={[current, next]}
        isSaving={isPending}
        onSubmit={submit}
        className={styles.form}
      >
        {hasPassword && (
          <TextField
            label={text.current}
            type="password"
            value={current}
            onChange={setCurrent}
            autoComplete="current-password"
            error={isWrong ? text.wrong : undefined}
          />
        )}
        <NewPassword
          label={text.next}
          value={next}
          onChange={setNext}
          names={names}
          hint={text.nextHint}
        />
        {failure && (
          <ErrorLine failure={failure} labels={{ password: text.next, current: text.current }} />
        )}
        <Button
          type="submit"
          disabled={(hasPassword && !current) || isWeak(strengthOf(next, names))}
          isLoading={isPending}
        >
          {text.change}
        </Button>
      </Form>
    </Section>
  );
}
