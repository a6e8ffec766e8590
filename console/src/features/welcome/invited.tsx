import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { client, unwrap } from "../../api/client";
import { failureOf } from "../../api/list";
import { asApiError } from "../../api/queries";
import type { AuthWays, RegisterBody } from "../../api/schema";
import { AppearanceBar } from "../../session/appearance-bar";
import { auth, type Session } from "../../session/auth";
import { enter } from "../../session/keeper";
import { NewPassword } from "../../session/new-password";
import { useRoleName } from "../../session/role-name";
import { SESSION_KEY, sessionQuery } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Door } from "../../ui/door/door";
import { Mark } from "../../ui/door/mark";
import { ErrorLine } from "../../ui/error-state/error-line";
import { TextField } from "../../ui/text-field/text-field";
import { welcomeText } from "./text";
import styles from "./welcome.module.css";

type Props = { code: string; ways: AuthWays | undefined };

/** What somebody is invited to: to be entered with an account, or with a new one. */
export function Invited({ code, ways }: Props) {
  const text = useText(welcomeText);
  const roleName = useRoleName();
  const offer = useQuery({
    queryKey: ["admin.invitations.look_up", code],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/invitations:lookup", { params: { query: { code } }, signal })),
    retry: false,
  });
  const session = useQuery({ ...sessionQuery, retry: false });
  if (offer.isPending || session.isPending) return null;
  if (!offer.data) {
    const isGone = offer.error && asApiError(offer.error)?.status === 404;
    return (
      <Door mark={<Mark size={32} />} title={text.noOffer} foot={<AppearanceBar />}>
        {isGone ? (
          <p>{text.noOfferWhy}</p>
        ) : (
          <ErrorLine failure={failureOf(offer.error) ?? offer.error} />
        )}
      </Door>
    );
  }
  const { workspace_name, role } = offer.data;
  return (
    <Door
      mark={<Mark size={32} />}
      title={text.invited(workspace_name)}
      note={text.invitedAs(roleName(role))}
      foot={<AppearanceBar />}
    >
      {session.data ? (
        <Accept code={code} session={session.data} />
      ) : (
        <Newcomer code={code} ways={ways} />
      )}
    </Door>
  );
}

function Accept({ code, session }: { code: string; session: Session }) {
  const text = useText(welcomeText);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => unwrap(client.POST("/admin/v1/invitations:accept", { body: { code } })),
    onSuccess: async ({ id }) => {
      await queries.fetchQuery({ queryKey: SESSION_KEY, queryFn: auth.session, staleTime: 0 });
      await navigate({ to: "/w/$workspaceId", params: { workspaceId: id }, replace: true });
    },
  });
  return (
    <div className={styles.form}>
      <p>{text.signedInAs(session.user.nickname || session.user.name)}</p>
      {error && <ErrorLine failure={failureOf(error) ?? error} />}
      <Button kind="primary" size="large" isWide isLoading={isPending} onClick={() => mutate()}>
        {text.join}
      </Button>
    </div>
  );
}

function Newcomer({ code, ways }: Props) {
  const text = useText(welcomeText);
  const back = `/console/welcome?invite=${encodeURIComponent(code)}`;
  const mayRegister = ways?.sign_up !== "closed" && ways?.password;
  return (
    <div className={styles.form}>
      {mayRegister && <Register code={code} />}
      {mayRegister ? (
        <p>
          {text.haveAccount}{" "}
          <Link to="/sign-in" search={{ return_to: back }} className={styles.link}>
            {text.signIn}
          </Link>
        </p>
      ) : (
        <>
          <p>{text.needAccount}</p>
          <Link to="/sign-in" search={{ return_to: back }} className={styles.link}>
            {text.signIn}
          </Link>
        </>
      )}
    </div>
  );
}

function Register({ code }: { code: string }) {
  const text = useText(welcomeText);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [nickname, setNickname] = useState("");
  const [password, setPassword] = useState("");
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: RegisterBody) => unwrap(client.POST("/admin/v1/auth/register", { body })),
    onSuccess: (session) => {
      enter(queries, session);
      const joined = session.workspaces.find((each) => each.type === "team");
      return joined
        ? navigate({ to: "/w/$workspaceId", params: { workspaceId: joined.id }, replace: true })
        : navigate({ to: "/", replace: true });
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate({
      code,
      name: name.trim(),
      password,
      nickname: nickname.trim() || null,
      remember: true,
    });
  }
  const failure = failureOf(error);
  return (
    <form onSubmit={submit} className={styles.form}>
      <TextField
        label={text.account}
        hint={text.accountHint}
        value={name}
        onChange={setName}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
      />
      <TextField label={text.name} value={nickname} onChange={setNickname} autoComplete="name" />
      <NewPassword
        label={text.password}
        value={password}
        onChange={setPassword}
        names={[name.trim(), nickname.trim()]}
        required
      />
      {failure && (
        <ErrorLine
          failure={failure}
          labels={{ name: text.account, nickname: text.name, password: text.password }}
        />
      )}
      <Button kind="primary" type="submit" size="large" isWide isLoading={isPending}>
        {text.register}
      </Button>
    </form>
  );
}
