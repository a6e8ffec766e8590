import type { LucideIcon } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { failureOf } from "../api/list";
import type { Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { ConfirmDelete } from "../ui/confirm/confirm-delete";
import type { ListProps } from "../ui/list/list-body";
import { ListWithCreate } from "../ui/list/list-with-create";
import { RowMenu } from "../ui/list/row-menu";
import type { useRevokeToken } from "./queries";
import { tokensText } from "./text";
import { type AnyToken, useTokenColumns } from "./token-columns";

const NewToken = lazy(() => import("./new-token"));

type Props<T> = {
  workspace: Workspace;
  kind: "personal" | "service";
  list: ListProps<T>["list"];
  /** How far a token reaches, in a few words. */
  reachOf: (token: T) => string;
  revoke: ReturnType<typeof useRevokeToken>;
  words: { create: string; empty: string; emptyWhy: string };
  drawing: LucideIcon;
  /** What can be done with a token besides revoking it. */
  more?: (token: T) => ReactNode;
};

/** Tokens, to be made and revoked. */
export function TokenList<T extends AnyToken>(props: Props<T>) {
  const { workspace, kind, list, reachOf, revoke, words, drawing, more } = props;
  const { tokens: text } = useText(tokensText);
  const columns = useTokenColumns<T>(workspace, reachOf);
  const [isMaking, setMaking] = useState(false);
  const [doomed, setDoomed] = useState<T>();
  return (
    <>
      <ListWithCreate
        title={text.columns.name}
        list={list}
        words={words}
        drawing={drawing}
        onCreate={() => setMaking(true)}
        columns={columns}
        keyOf={(token) => token.id}
        menu={(token) => (
          <RowMenu
            name={token.name}
            id={token.id}
            deleteVerb={text.removeVerb}
            onDelete={() => setDoomed(token)}
          >
            {more?.(token)}
          </RowMenu>
        )}
        onKey={(key, token) => key === "Delete" && setDoomed(token)}
      />
      <Suspense>
        {isMaking && (
          <NewToken workspace={workspace} kind={kind} onClose={() => setMaking(false)} />
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
