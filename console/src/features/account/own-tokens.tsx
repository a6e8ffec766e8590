import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf } from "../../api/list";
import { useSession, type Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { formatNames } from "../../text/formats";
import { type Token, useRevokeToken, useTokens } from "../../tokens/queries";
import { tokensText } from "../../tokens/text";
import { Button } from "../../ui/button/button";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Section } from "../../ui/page/section";
import { Ago } from "../../ui/time/ago";
import styles from "./sessions.module.css";
import { accountText } from "./text";

const NewToken = lazy(() => import("../../tokens/new-token"));

/** One's own tokens in all workspaces, to be made and revoked. */
export function OwnTokens() {
  const text = useText(accountText);
  const { tokens: words } = useText(tokensText);
  const { workspaces } = useSession();
  const { rows, isPending, failure, hasMore, loadMore } = useTokens();
  const revoke = useRevokeToken();
  const [isMaking, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<Token>();
  const [first] = workspaces;
  return (
    <Section title={text.tokens}>
      <p className={styles.note}>{text.tokensWhy}</p>
      {failure && <ErrorLine failure={failure} />}
      {!isPending && !failure && rows.length === 0 && <p>{text.noTokens}</p>}
      <ul className={styles.list}>
        {rows.map((token) => (
          <li key={token.id} className={styles.row}>
            <div className={styles.words}>
              <p className={styles.name}>{token.name}</p>
              <p className={styles.note}>
                {`…${token.last4} · ${reachOf(token, workspaces, text.everywhere)} · `}
                {token.last_used_at ? (
                  <>
                    {text.usedLast} <Ago at={token.last_used_at} />
                  </>
                ) : (
                  text.neverUsed
                )}
              </p>
            </div>
            <Button
              size="compact"
              aria-label={text.revokeOf(token.name)}
              onClick={() => setDoomed(token)}
            >
              {text.revoke}
            </Button>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button icon={<Plus size={16} />} onClick={() => setMaking(true)}>
          {text.newToken}
        </Button>
        {hasMore && (
          <Button kind="quiet" onClick={loadMore}>
            {text.more}
          </Button>
        )}
      </div>
      <Suspense>
        {isMaking && first && (
          <NewToken
            workspace={first}
            choices={workspaces}
            kind="personal"
            onClose={() => setMaking(false)}
          />
        )}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={words}
          name={doomed.name}
          isTyped={false}
          remove={revoke}
          failure={failureOf(revoke.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </Section>
  );
}

/** Where a token is good for something, by the names of workspaces one is in. */
function reachOf(token: Token, workspaces: readonly Workspace[], everywhere: string): string {
  if (token.workspace_ids === null) return everywhere;
  const ids = token.workspace_ids;
  return formatNames(workspaces.filter(({ id }) => ids.includes(id)).map(({ name }) => name));
}
