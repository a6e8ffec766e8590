import { Link } from "@tanstack/react-router";
import { Blocks, CircleCheck, CircleX, MonitorSmartphone, Plug, Workflow } from "lucide-react";
import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { formatDuration, formatNumber } from "../../text/formats";
import { ReleaseBadge } from "../../ui/state-badge/release-badge";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import styles from "./columns.module.css";
import type { Plugin } from "./queries";
import { pluginsText } from "./text";

const SIGNS: Readonly<Record<string, typeof Blocks>> = {
  local: MonitorSmartphone,
  mcp: Plug,
  workflow: Workflow,
};

type Call = Plugin["last_call"];

function LastCall({ call }: { call: Call }) {
  const { calls: text } = useText(pluginsText);
  if (!call) return <span className={styles.quiet}>{text.none}</span>;
  const word = call.success ? text.worked : text.failed;
  const status = call.status > 0 ? text.status(call.status) : "";
  return (
    <span title={[call.tool, status, formatDuration(call.duration_ms)].filter(Boolean).join(" · ")}>
      <StateBadge
        tone={call.success ? "ok" : "bad"}
        icon={call.success ? <CircleCheck size={14} /> : <CircleX size={14} />}
      >
        {word} <Ago at={call.at} />
      </StateBadge>
    </span>
  );
}

export function useColumns(nameOf: (userId: string) => string): readonly Column<Plugin>[] {
  const text = useText(pluginsText);
  return useMemo(() => {
    const kinds: Readonly<Record<string, string>> = text.kinds;
    return [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (plugin) => {
          const Sign = SIGNS[plugin.type] ?? Blocks;
          return (
            <NameCell
              tile={<Tile name={plugin.name} icon={<Sign size={14} />} />}
              name={
                <Link
                  to="/w/$workspaceId/plugins/$pluginId"
                  params={{ workspaceId: plugin.workspace_id, pluginId: plugin.id }}
                >
                  {plugin.name}
                </Link>
              }
              note={plugin.description}
            />
          );
        },
      },
      {
        key: "state",
        label: text.columns.state,
        width: "minmax(124px, 184px)",
        render: (plugin) => (
          <ReleaseBadge
            isPublished={plugin.status === "published"}
            isChanged={plugin.is_draft_changed}
            version={plugin.published_version}
          />
        ),
      },
      {
        key: "kind",
        label: text.columns.kind,
        width: "104px",
        leaveOut: "medium",
        render: (plugin) => kinds[plugin.type] ?? plugin.type,
      },
      {
        key: "creator",
        label: text.columns.creator,
        width: "136px",
        leaveOut: "large",
        render: (plugin) => nameOf(plugin.creator_id),
      },
      {
        key: "tools",
        label: text.columns.tools,
        width: "64px",
        isNumber: true,
        leaveOut: "narrow",
        render: (plugin) => formatNumber(plugin.tool_count),
      },
      {
        key: "users",
        label: text.columns.users,
        width: "72px",
        isNumber: true,
        leaveOut: "medium",
        render: (plugin) =>
          plugin.agent_count > 0 ? (
            <Link
              to="/w/$workspaceId/agents"
              params={{ workspaceId: plugin.workspace_id }}
              search={{ uses: `plugin_id:${plugin.id}` }}
            >
              {formatNumber(plugin.agent_count)}
            </Link>
          ) : (
            formatNumber(0)
          ),
      },
      {
        key: "call",
        label: text.columns.call,
        width: "minmax(112px, 152px)",
        leaveOut: "narrow",
        render: (plugin) => <LastCall call={plugin.last_call} />,
      },
      {
        key: "updated",
        label: text.columns.updated,
        width: "96px",
        isNumber: true,
        leaveOut: "narrow",
        render: (plugin) => <Ago at={plugin.updated_at} />,
      },
    ];
  }, [text, nameOf]);
}
