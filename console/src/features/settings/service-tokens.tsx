import { Bot, RefreshCw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { formatNames } from "../../text/formats";
import { type ServiceToken, useRevokeServiceToken, useServiceTokens } from "../../tokens/queries";
import { tokensText } from "../../tokens/text";
import { TokenList } from "../../tokens/token-list";
import { MenuItem } from "../../ui/menu/menu";

const Rotate = lazy(() => import("./rotate"));

/** Tokens of the workspace, which have no person behind them. */
export function ServiceTokens({ workspace }: { workspace: Workspace }) {
  const { tokens: text } = useText(tokensText);
  const [replaced, setReplaced] = useState<ServiceToken>();
  return (
    <>
      <TokenList
        workspace={workspace}
        kind="service"
        list={useServiceTokens(workspace.id)}
        reachOf={(token) => (token.networks ? formatNames(token.networks) : text.reaches.here)}
        revoke={useRevokeServiceToken()}
        words={{
          create: text.createService,
          empty: text.emptyService,
          emptyWhy: text.emptyServiceWhy,
        }}
        drawing={Bot}
        more={(token) => (
          <MenuItem icon={<RefreshCw size={16} />} onSelect={() => setReplaced(token)}>
            {text.rotate}
          </MenuItem>
        )}
      />
      <Suspense>
        {replaced && <Rotate token={replaced} onClose={() => setReplaced(undefined)} />}
      </Suspense>
    </>
  );
}
