import { KeyRound } from "lucide-react";
import { useMemo } from "react";
import type { Permission, Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { formatExact } from "../text/formats";
import { NameCell } from "../ui/table/name-cell";
import type { Column } from "../ui/table/table";
import { Tile } from "../ui/tile/tile";
import { Ago } from "../ui/time/ago";
import { presetOf } from "./scopes";
import { tokensText } from "./text";
import styles from "./tokens.module.css";

/** What tokens of people and of workspaces have in common. */
export type AnyToken = {
  id: string;
  name: string;
  last4: string;
  permissions: readonly Permission[] | null;
  bot_ids: readonly string[] | null;
  last_used_at: number | null;
  expires_at: number | null;
  former_until?: number | null;
};

const DAY_S = 86_400;

export function useTokenColumns<T extends AnyToken>(
  workspace: Workspace,
  reachOf: (token: T) => string,
): readonly Column<T>[] {
  const all = useText(tokensText);
  return useMemo(() => {
    const text = all.tokens;
    function mayOf({ permissions }: T): string {
      const preset = presetOf(permissions, workspace.permissions);
      if (preset === "all") return text.everything;
      return preset === "own" ? text.chosen(permissions?.length ?? 0) : text.presets[preset];
    }
    return [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (token) => (
          <NameCell
            tile={<Tile name={token.name} icon={<KeyRound size={14} />} />}
            name={token.name}
            note={`…${token.last4}${token.former_until ? ` · ${text.formerUntil}` : ""}`}
          />
        ),
      },
      {
        key: "may",
        label: text.columns.may,
        width: "132px",
        render: (token) => (
          <span title={token.permissions?.map((each) => all.scopes[each]).join("\n")}>
            {mayOf(token)}
          </span>
        ),
      },
      {
        key: "reach",
        label: text.columns.reach,
        width: "176px",
        leaveOut: "medium",
        render: (token) => (token.bot_ids ? text.agentCount(token.bot_ids.length) : reachOf(token)),
      },
      {
        key: "used",
        label: text.columns.used,
        width: "108px",
        isNumber: true,
        leaveOut: "narrow",
        render: (token) => (token.last_used_at ? <Ago at={token.last_used_at} /> : text.unused),
      },
      {
        key: "expires",
        label: text.columns.expires,
        width: "120px",
        isNumber: true,
        leaveOut: "narrow",
        render: (token) => <Expiry at={token.expires_at} />,
      },
    ];
  }, [all, workspace.permissions, reachOf]);
}

function Expiry({ at }: { at: number | null }) {
  const { tokens: text } = useText(tokensText);
  if (at === null) return text.never;
  const leftS = at - Date.now() / 1000;
  if (leftS <= 0) return <span className={styles.late}>{text.expired}</span>;
  return (
    <span title={formatExact(at)} className={leftS < 7 * DAY_S ? styles.late : undefined}>
      {text.inDays(Math.ceil(leftS / DAY_S))}
    </span>
  );
}
