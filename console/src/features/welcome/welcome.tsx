import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, Navigate, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { failureOf } from "../../api/list";
import { asApiError } from "../../api/queries";
import type { AuthWays } from "../../api/schema";
import { AppearanceBar } from "../../session/appearance-bar";
import { auth, waysQuery } from "../../session/auth";
import { enter } from "../../session/keeper";
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
const SHORTEST = 12;
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
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [isShort, setShort] = useState(false);
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
    const tooShort = hasPassword && password.length < SHORTEST;
    setShort(tooShort);
    if (tooShort) return;
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
      {ways?.is_insecure && <Banner tone="warn">{text.insecure}</Banner>}
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
          <TextField
            label={text.password}
            type="password"
            value={password}
            onChange={setPassword}
            onBlur={() => setShort(password !== "" && password.length < SHORTEST)}
            autoComplete="new-password"
            hint={text.passwordHint}
            error={isShort ? text.tooShort : undefined}
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
    </Door>
  );
}
