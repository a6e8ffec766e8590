import { KeyRound } from "lucide-react";
import type { Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { useRevokeToken, useTokens } from "../../tokens/queries";
import { tokensText } from "../../tokens/text";
import { TokenList } from "../../tokens/token-list";

/** One's own tokens that reach a workspace. */
export function Tokens({ workspace }: { workspace: Workspace }) {
  const { tokens: text } = useText(tokensText);
  const list = useTokens();
  const rows = list.rows.filter(
    (token) => token.workspace_ids === null || token.workspace_ids.includes(workspace.id),
  );
  return (
    <TokenList
      workspace={workspace}
      kind="personal"
      list={{ ...list, rows, total: rows.length }}
      reachOf={(token) =>
        token.workspace_ids === null ? text.reaches.everywhere : text.reaches.here
      }
      revoke={useRevokeToken()}
      words={{ create: text.create, empty: text.empty, emptyWhy: text.emptyWhy }}
      drawing={KeyRound}
    />
  );
}
