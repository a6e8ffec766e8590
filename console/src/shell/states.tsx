import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { isAlive } from "../api/alive";
import { unreachable } from "../api/errors";
import { asApiError } from "../api/queries";
import { useRoleName } from "../session/role-name";
import type { Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { Door } from "../ui/door/door";
import { Mark } from "../ui/door/mark";
import { EmptyState } from "../ui/empty-state/empty-state";
import { ErrorState } from "../ui/error-state/error-state";
import { Page } from "../ui/page/page";
import { findRequest } from "../ui/page/page-request";
import styles from "./states.module.css";
import { shellText } from "./text";

/** The address leads nowhere. */
export function NotFound() {
  const text = useText(shellText);
  return (
    <Page title={text.notFound}>
      <EmptyState
        title={text.notFound}
        action={
          <>
            <Link to="/" className={styles.link}>
              {text.goHome}
            </Link>
            <Button onClick={() => findRequest.ask("")}>{text.find.button}</Button>
          </>
        }
      >
        {text.notFoundWhy}
      </EmptyState>
    </Page>
  );
}

/** The address is not even one of the console; nobody may be signed in. */
export function NoSuchPage() {
  const text = useText(shellText);
  return (
    <Door mark={<Mark size={32} />} title={text.notFound} note={text.notFoundWhy}>
      <Link to="/" className={styles.link}>
        {text.goHome}
      </Link>
      <Link to="/find" className={styles.link}>
        {text.find.button}
      </Link>
    </Door>
  );
}

/** Behind what is looked for by its address. */
export function Finding() {
  return <Page title={useText(shellText).find.label}>{null}</Page>;
}

/** The role does not reach this far. */
export function NoRight({ workspace }: { workspace: Workspace }) {
  const text = useText(shellText);
  const roleName = useRoleName();
  return (
    <Page title={text.noRight}>
      <EmptyState title={text.noRight}>{text.noRightWhy(roleName(workspace.role))}</EmptyState>
    </Page>
  );
}

/** Signed in, and a member of nothing. */
export function NoWorkspace() {
  const text = useText(shellText);
  return (
    <Page title={text.noWorkspace}>
      <EmptyState title={text.noWorkspace}>{text.noWorkspaceWhy}</EmptyState>
    </Page>
  );
}

/** A screen failed; the shell stays. After a new version its parts are no longer there. */
export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  const text = useText(shellText);
  const router = useRouter();
  const message = error instanceof Error ? error.message : String(error);
  const isPartMissing = /dynamically imported module|Importing a module/.test(message);
  return (
    <Page title={text.screenFailed}>
      {isPartMissing ? (
        <PartMissing />
      ) : (
        <ErrorState
          failure={asApiError(error) ?? { message }}
          onRetry={() => {
            reset();
            void router.invalidate();
          }}
        />
      )}
    </Page>
  );
}

/** A part of the console cannot be had: there is another version, or nobody who would send it. */
function PartMissing() {
  const text = useText(shellText);
  const [isThere, setThere] = useState<boolean>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    void isAlive().then((isNow) => {
      if (isNow && tries > 0) location.reload();
      else setThere(isNow);
    });
  }, [tries]);
  if (isThere === undefined) return null;
  if (!isThere) {
    return <ErrorState failure={unreachable()} onRetry={() => setTries(tries + 1)} />;
  }
  return (
    <EmptyState
      title={text.updated}
      action={<Button onClick={() => location.reload()}>{text.reload}</Button>}
    />
  );
}
