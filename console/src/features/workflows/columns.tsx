import { Link } from "@tanstack/react-router";
import {
  CircleCheck,
  CircleDashed,
  CircleX,
  Hourglass,
  MessagesSquare,
  Play,
  Square,
  Workflow,
} from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { onThisOrigin } from "../../api/client";
import { useText } from "../../text/catalogue";
import { formatNumber } from "../../text/formats";
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

type Run = NonNullable<NonNullable<WorkflowRow["facts"]>["last_run"]>;
type Sign = { tone: "ok" | "bad" | "wait" | "run" | "neutral"; icon: ReactNode };

const SIGNS: Readonly<Record<string, Sign>> = {
  created: { tone: "wait", icon: <Hourglass size={14} /> },
  running: { tone: "run", icon: <Play size={14} /> },
  success: { tone: "ok", icon: <CircleCheck size={14} /> },
  failed: { tone: "bad", icon: <CircleX size={14} /> },
  cancelled: { tone: "neutral", icon: <Square size={14} /> },
  interrupted: { tone: "wait", icon: <Hourglass size={14} /> },
};

type RunProps = { run: Run | undefined; words: Readonly<Record<string, string>> };

/** How the newest run of a workflow stands. */
function LastRun({ run, words }: RunProps) {
  const sign = run && SIGNS[run.phase];
  if (!sign) return "–";
  return (
    <StateBadge tone={sign.tone} icon={sign.icon}>
      {words[run.phase]}
    </StateBadge>
  );
}

export function useColumns(workspaceId: string): readonly Column<WorkflowRow>[] {
  const text = useText(workflowsText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(180px, 1fr)",
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
        width: "minmax(116px, 176px)",
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
        width: "76px",
        leaveOut: "medium",
        render: (row) => (row.mode === CHAT_FLOW ? text.kinds.chatflow : text.kinds.workflow),
      },
      {
        key: "run",
        label: text.columns.run,
        width: "108px",
        leaveOut: "medium",
        render: (row) => <LastRun run={row.facts?.last_run ?? undefined} words={text.phases} />,
      },
      {
        key: "test",
        label: text.columns.test,
        width: "92px",
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
        width: "104px",
        leaveOut: "large",
        render: (row) => row.creator.name,
      },
      {
        key: "nodes",
        label: text.columns.nodes,
        width: "52px",
        isNumber: true,
        leaveOut: "large",
        render: (row) => (row.node_count === null ? "–" : formatNumber(row.node_count)),
      },
      {
        key: "callers",
        label: text.columns.callers,
        width: "68px",
        isNumber: true,
        leaveOut: "medium",
        render: (row) => formatNumber(row.facts?.callers ?? 0),
      },
      {
        key: "updated",
        label: text.columns.updated,
        width: "76px",
        isNumber: true,
        leaveOut: "narrow",
        render: (row) => <Ago at={row.updated_at} />,
      },
    ],
    [text, workspaceId],
  );
}
