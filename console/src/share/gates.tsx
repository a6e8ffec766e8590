import { type FormEvent, type ReactNode, useState } from "react";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { useTold } from "../ui/error-state/reasons";
import { TextField } from "../ui/text-field/text-field";
import { Avatar } from "./avatar";
import styles from "./gates.module.css";
import type { SharePage } from "./page";
import { Refusal, wordsOf } from "./refusal";
import { shareText } from "./text";

type GateProps = {
  page: SharePage;
  title: string;
  why: string;
  isAlert?: boolean;
  /** Leaves the frame, where there is one. */
  onClose: (() => void) | undefined;
  children?: ReactNode;
};

/** What stands in the place of a chat that is not open, or not yet. */
export function Gate({ page, title, why, isAlert, onClose, children }: GateProps) {
  const text = useText(shareText);
  return (
    <main className={styles.gate}>
      <Avatar link={page.link} isLarge />
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.why} role={isAlert ? "alert" : undefined}>
        {why}
      </p>
      {children}
      {onClose && (
        <Button size="large" isWide onClick={onClose}>
          {text.close}
        </Button>
      )}
    </main>
  );
}

type PasswordProps = Omit<GateProps, "title" | "why" | "children"> & {
  onEnter: (password: string) => Promise<void>;
};

export function PasswordGate({ onEnter, ...rest }: PasswordProps) {
  const text = useText(shareText);
  const [password, setPassword] = useState("");
  const told = useTold();
  const [error, setError] = useState("");
  const [isPending, setPending] = useState(false);
  async function enter(event: FormEvent): Promise<void> {
    event.preventDefault();
    setPending(true);
    try {
      await onEnter(password);
    } catch (failure) {
      const isWrong = failure instanceof Refusal && failure.status === 401;
      setError(isWrong ? text.passwordWrong : wordsOf(failure, text));
      setPassword("");
      setPending(false);
    }
  }
  return (
    <Gate {...rest} title={rest.page.link.name} why={text.passwordWhy}>
      <form onSubmit={(event) => void enter(event)} className={styles.form}>
        <TextField
          label={text.password}
          type="password"
          name="password"
          autoComplete="current-password"
          maxLength={256}
          required
          autoFocus
          value={password}
          onChange={setPassword}
          error={error && told("", error)}
        />
        <Button type="submit" kind="primary" size="large" isWide isLoading={isPending}>
          {text.enter}
        </Button>
      </form>
    </Gate>
  );
}

/** A frame on another site never has the session: there the chat opens in a tab of its own. */
export function SignInGate(props: Omit<GateProps, "title" | "why" | "children">) {
  const text = useText(shareText);
  const { pathname } = location;
  const isFramed = props.onClose !== undefined;
  const href = isFramed ? pathname : `/console/sign-in?return_to=${encodeURIComponent(pathname)}`;
  return (
    <Gate {...props} title={props.page.link.name} why={text.signInWhy}>
      <a href={href} className={styles.way} target={isFramed ? "_blank" : undefined} rel="noopener">
        {isFramed ? text.openTab : text.signIn}
      </a>
    </Gate>
  );
}
