import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../api/list";
import { asApiError } from "../../api/queries";
import { AppearanceBar } from "../../session/appearance-bar";
import { auth, waysQuery } from "../../session/auth";
import { doorText } from "../../session/door-text";
import { enter } from "../../session/keeper";
import { Or, ProviderButtons } from "../../session/provider-buttons";
import { useText } from "../../text/catalogue";
import { Banner } from "../../ui/banner/banner";
import { Button } from "../../ui/button/button";
import { Checkbox } from "../../ui/checkbox/checkbox";
import { Door } from "../../ui/door/door";
import { Mark } from "../../ui/door/mark";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ErrorState } from "../../ui/error-state/error-state";
import { TextField } from "../../ui/text-field/text-field";
import styles from "./sign-in.module.css";
import { signInText } from "./text";
import type { Text } from "./text.en";

const page = getRouteApi("/sign-in");
const HOME = "/console/";
/** Pages that the server makes: where a person answers an application, and chats for members. */
const OF_SERVER = /^\/(console\/(consent|device)|s\/[\w-]+)(\?|$)/;
const LINK_COMMAND = "coterie console link";

/** The door: name and password, or a token. */
export function SignIn() {
  const text = useText(signInText);
  const door = useText(doorText);
  const { data: ways, error, refetch } = useQuery(waysQuery);
  const { refused, return_to } = page.useSearch();
  const [isByToken, setByToken] = useState(false);
  const isRefused = ways && !ways.password && !ways.token;
  const showsToken = ways && (isByToken || !ways.password);
  return (
    <Door
      mark={<Mark size={32} />}
      title={isRefused ? text.refused : ways ? text.to(ways.deployment) : text.title}
      note={isRefused && text.refusedWhy}
      foot={<AppearanceBar />}
    >
      {error && <ErrorState failure={failureOf(error) ?? error} onRetry={() => void refetch()} />}
      {refused && <Banner tone="warn">{text.notSignedIn(refused)}</Banner>}
      {ways?.is_insecure && !isRefused && <Banner tone="warn">{door.insecure}</Banner>}
      {ways?.is_first_run && !isRefused && (
        <div className={styles.first}>
          <p>
            <b>{text.firstRun}</b> {text.firstRunHow}
          </p>
          <code className={styles.command}>{LINK_COMMAND}</code>
        </div>
      )}
      {ways && ways.providers.length > 0 && (
        <>
          <ProviderButtons providers={ways.providers} returnTo={ownPage(return_to)} />
          {ways.password && <Or />}
        </>
      )}
      {ways && !isRefused && <Ways key={String(showsToken)} isByToken={showsToken ?? false} />}
      {ways?.password && ways.token && (
        <Button kind="quiet" isWide onClick={() => setByToken(!isByToken)}>
          {isByToken ? text.usePassword : text.useToken}
        </Button>
      )}
    </Door>
  );
}

function Ways({ isByToken }: { isByToken: boolean }) {
  const text = useText(signInText);
  const { return_to } = page.useSearch();
  const queries = useQueryClient();
  const router = useRouter();
  const [name, setName] = useState("");
  const [secret, setSecret] = useState("");
  const [remember, setRemember] = useState(false);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<Error>();
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setPending(true);
    try {
      const session = isByToken
        ? await auth.token({ token: secret.trim(), remember })
        : await auth.login({ name: name.trim(), password: secret, remember });
      enter(queries, session);
      const next = ownPage(return_to);
      if (OF_SERVER.test(next)) location.assign(next);
      else router.history.replace(next);
    } catch (caught) {
      setError(caught instanceof Error ? caught : new Error(String(caught)));
      setPending(false);
    }
  }
  const said = wordsFor(error, isByToken, text);
  return (
    <form onSubmit={(event) => void submit(event)} className={styles.form}>
      {!isByToken && (
        <TextField
          label={text.name}
          value={name}
          onChange={setName}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
      )}
      <TextField
        label={isByToken ? text.token : text.password}
        type="password"
        value={secret}
        onChange={setSecret}
        autoComplete={isByToken ? "off" : "current-password"}
        hint={isByToken ? text.tokenHint : undefined}
        error={said}
        autoFocus={isByToken}
      />
      <Checkbox label={text.remember} isChecked={remember} onChange={setRemember} />
      {error && !said && (
        <ErrorLine
          failure={failureOf(error) ?? error}
          labels={{ name: text.name, password: text.password, token: text.token }}
        />
      )}
      <Button kind="primary" type="submit" size="large" isWide isLoading={isPending}>
        {text.submit}
      </Button>
    </form>
  );
}

/** What is said at the field: the same for an unknown name and a wrong password. */
function wordsFor(error: Error | undefined, isByToken: boolean, text: Text): string | undefined {
  const found = asApiError(error);
  if (found?.status === 429) return text.tooMany(Math.max(60, found.retryAfterS));
  if (found?.status === 401 || found?.status === 403) {
    return isByToken ? text.wrongToken : text.wrong;
  }
  return undefined;
}

/** Where to go on: pages of the console alone. */
function ownPage(wanted = HOME): string {
  const { origin, pathname, search } = new URL(wanted, location.origin);
  const isOurs = pathname.startsWith(HOME) || OF_SERVER.test(pathname);
  return origin === location.origin && isOurs ? pathname + search : HOME;
}
