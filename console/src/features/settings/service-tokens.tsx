import { Bot, Plus, RefreshCw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf } from "../../api/list";
import type { Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { formatNames } from "../../text/formats";
import { Button } from "../../ui/button/button";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListBody } from "../../ui/list/list-body";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem } from "../../ui/menu/menu";
import { type ServiceToken, useRevokeServiceToken, useServiceTokens } from "./queries";
import styles from "./settings.module.css";
import { settingsText } from "./text";
import { useTokenColumns } from "./token-columns";

const NewToken = lazy(() => import("./new-token"));
const Rotate = lazy(() => import("./rotate"));

/** Tokens of the workspace, which have no person behind them. */
export function ServiceTokens({ workspace }: { workspace: Workspace }) {
  const { tokens: text } = useText(settingsText);
  const list = useServiceTokens(workspace.id);
  const columns = useTokenColumns<ServiceToken>(workspace, (token) =>
    token.networks ? formatNames(token.networks) : text.reaches.here,
  );
  const revoke = useRevokeServiceToken();
  const [isMaking, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<ServiceToken>();
  const [replaced, setReplaced] = useState<ServiceToken>();
  const create = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => setMaking(true)}>
      {text.createService}
    </Button>
  );
  return (
    <>
      {list.rows.length > 0 && <div className={styles.tools}>{create}</div>}
      <ListBody
        title={text.columns.name}
        list={list}
        empty={
          <EmptyState
            title={text.emptyService}
            drawing={<Bot size={40} strokeWidth={1} />}
            action={create}
          >
            {text.emptyServiceWhy}
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
          >
            <MenuItem icon={<RefreshCw size={16} />} onSelect={() => setReplaced(token)}>
              {text.rotate}
            </MenuItem>
          </RowMenu>
        )}
        onKey={(key, token) => key === "Delete" && setDoomed(token)}
      />
      <Suspense>
        {isMaking && (
          <NewToken workspace={workspace} kind="service" onClose={() => setMaking(false)} />
        )}
        {replaced && <Rotate token={replaced} onClose={() => setReplaced(undefined)} />}
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
