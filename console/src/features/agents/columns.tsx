import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { onThisOrigin } from "../../api/client";
import { useText } from "../../text/catalogue";
import { ReleaseBadge } from "../../ui/state-badge/release-badge";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import type { Agent } from "./queries";
import { Team } from "./team";
import { agentsText } from "./text";

export function useColumns(nameOf: (userId: string) => string): readonly Column<Agent>[] {
  const text = useText(agentsText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (agent) => (
          <NameCell
            tile={<Tile name={agent.name} image={onThisOrigin(agent.icon_url)} />}
            name={
              <Link
                to="/w/$workspaceId/agents/$agentId"
                params={{ workspaceId: agent.workspace_id, agentId: agent.id }}
              >
                {agent.name}
              </Link>
            }
            note={agent.description}
          />
        ),
      },
      {
        key: "state",
        label: text.columns.state,
        width: "minmax(124px, 184px)",
        render: (agent) => (
          <ReleaseBadge
            isPublished={agent.is_published}
            isChanged={agent.has_unpublished_changes}
            version={agent.version}
          />
        ),
      },
      {
        key: "mode",
        label: text.columns.mode,
        width: "112px",
        leaveOut: "medium",
        render: (agent) =>
          agent.members.length > 0 ? <Team agent={agent} /> : text.modes[agent.mode],
      },
      {
        key: "creator",
        label: text.columns.creator,
        width: "136px",
        leaveOut: "medium",
        render: (agent) => nameOf(agent.creator_id),
      },
      {
        key: "updated",
        label: text.columns.updated,
        width: "96px",
        isNumber: true,
        leaveOut: "narrow",
        render: (agent) => <Ago at={agent.updated_at} />,
      },
    ],
    [text, nameOf],
  );
}
