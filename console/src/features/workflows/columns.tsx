import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDashed, MessagesSquare, Workflow } from "lucide-react";
import { useMemo } from "react";
import { onThisOrigin } from "../../api/client";
import { useText } from "../../text/catalogue";
import { ReleaseBadge } from "../../ui/state-badge/release-badge";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import styles from "./columns.module.css";
import type { WorkflowRow } from "./queries";
import { workflowsText } from "./text";

const CHAT_FLOW = 3;

export function useColumns(workspaceId: string): readonly Column<WorkflowRow>[] {
  const text = useText(workflowsText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (row) => (
          <NameCell
            tile={
              <Tile
                name={row.name}
                image={onThisOrigin(row.icon_url)}
                icon={
                  row.mode === CHAT_FLOW ? <MessagesSquare size={14} /> : <Workflow size={14} />
                }
              />
            }
            name={
              <Link
                to="/w/$workspaceId/workflows/$workflowId"
                params={{ workspaceId, workflowId: row.id }}
                className={styles.open}
                tabIndex={-1}
              >
                {row.name}
              </Link>
            }
            note={row.description}
          />
        ),
      },
      {
        key: "state",
        label: text.columns.state,
        width: "minmax(124px, 184px)",
        render: (row) => (
          <ReleaseBadge
            isPublished={row.is_published}
            isChanged={row.is_draft_changed}
            version={row.latest_version}
          />
        ),
      },
      {
        key: "kind",
        label: text.columns.kind,
        width: "96px",
        leaveOut: "medium",
        render: (row) => (row.mode === CHAT_FLOW ? text.kinds.chatflow : text.kinds.workflow),
      },
      {
        key: "test",
        label: text.columns.test,
        width: "104px",
        leaveOut: "medium",
        render: (row) =>
          row.test_run_passed ? (
            <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
              {text.tests.passed}
            </StateBadge>
          ) : (
            <StateBadge tone="neutral" icon={<CircleDashed size={14} />}>
              {text.tests.none}
            </StateBadge>
          ),
      },
      {
        key: "creator",
        label: text.columns.creator,
        width: "136px",
        leaveOut: "medium",
        render: (row) => row.creator.name,
      },
      {
        key: "updated",
        label: text.columns.updated,
        width: "96px",
        isNumber: true,
        leaveOut: "narrow",
        render: (row) => <Ago at={row.updated_at} />,
      },
    ],
    [text, workspaceId],
  );
}
