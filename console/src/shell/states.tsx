import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
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
          <Link to="/" className={styles.link}>
            {text.goHome}
          </Link>
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
    </Door>
  );
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
  const isOutdated = /dynamically imported module|Importing a module/.test(message);
  if (isOutdated) {
    return (
      <EmptyState
        title={text.updated}
        action={<Button onClick={() => location.reload()}>{text.reload}</Button>}
      />
    );
  }
  return (
    <ErrorState
      failure={asApiError(error) ?? { message }}
      onRetry={() => {
        reset();
        void router.invalidate();
      }}
    />
  );
}
