import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { failureOf } from "../../api/list";
import { asApiError } from "../../api/queries";
import type { AuthWays } from "../../api/schema";
import { AppearanceBar } from "../../session/appearance-bar";
import { auth, waysQuery } from "../../session/auth";
import { doorText } from "../../session/door-text";
import { enter } from "../../session/keeper";
import { NewPassword } from "../../session/new-password";
import { isWeak, strengthOf } from "../../session/password";
import { Or, ProviderButtons } from "../../session/provider-buttons";
import { useText } from "../../text/catalogue";
import { Banner } from "../../ui/banner/banner";
import { Button } from "../../ui/button/button";
import { Door } from "../../ui/door/door";
import { Mark } from "../../ui/door/mark";
import { ErrorLine } from "../../ui/error-state/error-line";
import { TextField } from "../../ui/text-field/text-field";
import { Invited } from "./invited";
import { welcomeText } from "./text";
import styles from "./welcome.module.css";

const page = getRouteApi("/welcome");
const LINK_COMMAND = "coterie console link";

/** The first time somebody comes in, by a one-time link. */
export function Welcome() {
  const text = useText(welcomeText);
  const { ticket: found, invite } = page.useSearch();
  const navigate = useNavigate();
  const [ticket] = useState(found);
  const [isSpent, setSpent] = useState(false);
  useEffect(() => {
    // The link opens the door: it does not stay where others could read it.
    if (found) void navigate({ to: "/welcome", search: {}, replace: true });
  }, [found, navigate]);
  const { data: ways } = useQuery(waysQuery);
  // Over a connection that is refused the link stays unused; the door says why.
  if (ways && !ways.password && !ways.token) return <Navigate to="/sign-in" replace />;
  if (invite) return <Invited code={invite} ways={ways} />;
  if (ticket && !isSpent) {
    return <Begin ticket={ticket} ways={ways} onSpent={() => setSpent(true)} />;
  }
  return (
    <Door
      mark={<Mark size={32} />}
      title={ticket ? text.spent : text.noTicket}
      note={ticket ? text.spentWhy : text.noTicketWhy}
      foot={<AppearanceBar />}
    >
      <code className={styles.command}>{LINK_COMMAND}</code>
      <Link to="/sign-in" className={styles.link}>
        {text.signIn}
      </Link>
    </Door>
  );
}

type BeginProps = { ticket: string; ways: AuthWays | undefined; onSpent: () => void };

function Begin({ ticket, ways, onSpent }: BeginProps) {
  const text = useText(welcomeText);
  const door = useText(doorText);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [isAsked, setAsked] = useState(false);
  const hasPassword = ways?.password ?? true;
  const { mutate, isPending, error } = useMutation({
    mutationFn: auth.ticket,
    onSuccess: (session) => {
      enter(queries, session);
      void navigate({ to: "/", replace: true });
    },
    onError: (caught) => {
      if (asApiError(caught)?.status === 401) onSpent();
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    setAsked(true);
    if (hasPassword && isWeak(strengthOf(password, [name.trim()]))) return;
    mutate({
      ticket,
      remember: true,
      ...(hasPassword && { password }),
      ...(name.trim() && { name: name.trim() }),
    });
  }
  return (
    <Door
      mark={<Mark size={32} />}
      title={text.title}
      note={hasPassword ? text.why : text.whyBare}
      foot={<AppearanceBar />}
    >
      {ways?.is_insecure && <Banner tone="warn">{door.insecure}</Banner>}
      <form onSubmit={submit} className={styles.form}>
        <TextField
          label={text.name}
          value={name}
          onChange={setName}
          autoComplete="name"
          maxLength={50}
          autoFocus
        />
        {hasPassword && (
          <NewPassword
            label={text.password}
            value={password}
            onChange={setPassword}
            names={[name.trim()]}
            isAsked={isAsked}
            onBlur={() => password && setAsked(true)}
            required
          />
        )}
        {error && (
          <ErrorLine
            failure={failureOf(error) ?? error}
            labels={{ name: text.name, password: text.password }}
          />
        )}
        <Button kind="primary" type="submit" size="large" isWide isLoading={isPending}>
          {text.submit}
        </Button>
      </form>
      {ways && ways.providers.length > 0 && (
        <>
          <Or />
          <ProviderButtons providers={ways.providers} returnTo="/console/" />
          <p className={styles.note}>{text.providersWhy}</p>
        </>
      )}
    </Door>
  );
}
