import { KeyRound, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf } from "../../api/list";
import type { Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListBody } from "../../ui/list/list-body";
import { RowMenu } from "../../ui/list/row-menu";
import { type Token, useRevokeToken, useTokens } from "./queries";
import styles from "./settings.module.css";
import { settingsText } from "./text";
import { useTokenColumns } from "./token-columns";

const NewToken = lazy(() => import("./new-token"));

/** One's own tokens that reach a workspace. */
export function Tokens({ workspace }: { workspace: Workspace }) {
  const { tokens: text } = useText(settingsText);
  const list = useTokens();
  const columns = useTokenColumns<Token>(workspace, (token) =>
    token.workspace_ids === null ? text.reaches.everywhere : text.reaches.here,
  );
  const revoke = useRevokeToken();
  const [isMaking, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<Token>();
  const rows = list.rows.filter(
    (token) => token.workspace_ids === null || token.workspace_ids.includes(workspace.id),
  );
  const create = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setMaking(true)}>
      {text.create}
    </Button>
  );
  return (
    <>
      {rows.length > 0 && <div className={styles.tools}>{create}</div>}
      <ListBody
        title={text.columns.name}
        list={{ ...list, rows, total: rows.length }}
        empty={
          <EmptyState
            title={text.empty}
            drawing={<KeyRound size={40} strokeWidth={1} />}
            action={create}
          >
            {text.emptyWhy}
          </EmptyState>
        }
        columns={columns}
        keyOf={(token) => token.id}
        menu={(token) => (
          <RowMenu
            name={token.name}
            id={token.id}
            deleteVerb={text.removeVerb}
            onDelete={() => setDoomed(token)}
          />
        )}
        onKey={(key, token) => key === "Delete" && setDoomed(token)}
      />
      <Suspense>
        {isMaking && (
          <NewToken workspace={workspace} kind="personal" onClose={() => setMaking(false)} />
        )}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={doomed.name}
          isTyped={false}
          remove={revoke}
          failure={failureOf(revoke.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}
