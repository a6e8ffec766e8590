import { Link } from "@tanstack/react-router";
import { Blocks, MonitorSmartphone, Plug, Workflow } from "lucide-react";
import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { formatNumber } from "../../text/formats";
import { ReleaseBadge } from "../../ui/state-badge/release-badge";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import type { Plugin } from "./queries";
import { pluginsText } from "./text";

const SIGNS: Readonly<Record<string, typeof Blocks>> = {
  local: MonitorSmartphone,
  mcp: Plug,
  workflow: Workflow,
};

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
        leaveOut: "medium",
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
