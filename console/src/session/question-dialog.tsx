import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { asApiError } from "../api/queries";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { Dialog } from "../ui/dialog/dialog";
import { ErrorLine } from "../ui/error-state/error-line";
import type { Failure } from "../ui/error-state/failure";
import { TextField } from "../ui/text-field/text-field";
import { auth, providerAddress, waysQuery } from "./auth";
import { answer, enter, type Question } from "./keeper";
import styles from "./question-dialog.module.css";
import { knownSession } from "./session";
import { sessionText } from "./text";

/** Asks over the page, as it is, for what the session needs to go on. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function QuestionDialog({ question }: { question: Question }) {
  const text = useText(sessionText).again;
  const queries = useQueryClient();
  const session = knownSession(queries);
  const hasPassword = session?.features["password"] ?? true;
  const [isByToken, setByToken] = useState(!hasPassword);
  const [secret, setSecret] = useState("");
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [isWrong, setWrong] = useState(false);
  const form = useId();
  const isSignIn = question === "sign-in";
  const { data: ways } = useQuery(waysQuery);
  const providers = ways?.providers ?? [];
  const asksHere = isSignIn || hasPassword;

  async function prove(): Promise<void> {
    if (!isSignIn) {
      await auth.confirm({ password: secret });
      return;
    }
    const opened = isByToken
      ? await auth.token({ token: secret.trim(), remember: false })
      : await auth.login({ name: session?.user.name ?? "", password: secret, remember: false });
    enter(queries, opened);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setPending(true);
    setWrong(false);
    setFailure(undefined);
    try {
      await prove();
      answer(true);
    } catch (error) {
      const found = asApiError(error);
      if (found?.status === 401) setWrong(true);
      else setFailure(found ?? { message: String(error) });
      setPending(false);
    }
  }

  return (
    <Dialog
      isOpen
      isExplicit={isSignIn}
      onClose={() => answer(false)}
      size="small"
      title={isSignIn ? text.title : text.confirmTitle}
      description={isSignIn ? text.why : text.confirmWhy}
      actions={
        <>
          {isSignIn && hasPassword && (
            <Button kind="quiet" onClick={() => setByToken(!isByToken)}>
              {isByToken ? text.password : text.useToken}
            </Button>
          )}
          {asksHere && (
            <Button
              kind="primary"
              type="submit"
              form={form}
              disabled={!secret}
              isLoading={isPending}
            >
              {isSignIn ? text.submit : text.confirm}
            </Button>
          )}
        </>
      }
    >
      {providers.length > 0 && (
        <div className={styles.providers}>
          {providers.map(({ id, name }) => (
            <Button
              key={id}
              isWide
              onClick={() => location.assign(providerAddress(id, here(), !isSignIn))}
            >
              {text.by(name)}
            </Button>
          ))}
        </div>
      )}
      {asksHere && (
        <form id={form} onSubmit={(event) => void submit(event)} className={styles.form}>
          <TextField
            key={isByToken ? "token" : "password"}
            label={isByToken ? text.token : text.password}
            type="password"
            autoComplete={isByToken ? "off" : "current-password"}
            value={secret}
            onChange={setSecret}
            error={isWrong ? text.wrongPassword : undefined}
            autoFocus
          />
          {failure && <ErrorLine failure={failure} />}
        </form>
      )}
    </Dialog>
  );
}

/** The page as it is, where the person comes back to from a provider. */
function here(): string {
  return location.pathname + location.search;
}
