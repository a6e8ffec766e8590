import { Link } from "@tanstack/react-router";
import { Bot, Workflow } from "lucide-react";
import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { formatCompact, formatDuration, formatNumber } from "../../text/formats";
import { formatPoints } from "../../trace/figures";
import { RunState } from "../../trace/run-state";
import { traceText } from "../../trace/text";
import { versionName } from "../../trace/version";
import { useTold } from "../../ui/error-state/reasons";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { TagList } from "../../ui/tag-list/tag-list";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import type { ColumnKey } from "./column-choice";
import styles from "./columns.module.css";
import type { Run } from "./queries";
import { runsText } from "./text";
import { Verdicts } from "./verdicts";

type Member = { user_id: string; name: string; nickname: string };

export function useColumns(
  members: readonly Member[] | undefined,
  shown: readonly ColumnKey[],
): readonly Column<Run>[] {
  const { columns, notKept } = useText(runsText);
  const words = useText(traceText);
  const told = useTold();
  return useMemo(() => {
    const names = new Map(members?.map((each) => [each.user_id, each.nickname || each.name]));
    const all: readonly Column<Run>[] = [
      {
        key: "name",
        label: columns.name,
        width: "minmax(200px, 1fr)",
        render: (run) => (
          <NameCell
            tile={
              <Tile
                name={run.name}
                icon={run.kind === "chat" ? <Bot size={14} /> : <Workflow size={14} />}
              />
            }
            name={
              <Link
                to="/w/$workspaceId/runs/$runId"
                params={{ workspaceId: run.workspace_id, runId: run.run_id }}
                tabIndex={-1}
              >
                {run.name || run.run_id}
              </Link>
            }
            note={run.error ? told("", run.error) : versionName(run.version, words)}
          />
        ),
      },
      {
        key: "question",
        label: columns.question,
        width: "minmax(160px, 1.4fr)",
        leaveOut: "narrow",
        render: (run) =>
          run.question === null ? (
            run.capture === "content" ? null : (
              <span className={styles.notKept}>{notKept}</span>
            )
          ) : (
            <span title={run.question}>{run.question}</span>
          ),
      },
      {
        key: "state",
        label: columns.state,
        width: "104px",
        render: (run) => <RunState status={run.status} />,
      },
      {
        key: "started",
        label: columns.started,
        width: "88px",
        isNumber: true,
        leaveOut: "narrow",
        render: (run) => <Ago at={run.started_at} />,
      },
      {
        key: "duration",
        label: columns.duration,
        width: "84px",
        isNumber: true,
        leaveOut: "narrow",
        render: (run) => formatDuration(run.duration_us / 1000),
      },
      {
        key: "firstToken",
        label: columns.firstToken,
        width: "84px",
        isNumber: true,
        leaveOut: "medium",
        render: (run) =>
          run.first_token_ms === null || run.first_token_ms === undefined
            ? null
            : formatDuration(run.first_token_ms),
      },
      {
        key: "steps",
        label: columns.steps,
        width: "48px",
        isNumber: true,
        leaveOut: "medium",
        render: (run) => formatNumber(run.steps),
      },
      {
        key: "tools",
        label: columns.tools,
        width: "48px",
        isNumber: true,
        leaveOut: "medium",
        render: (run) => (
          <span title={run.tools.join(", ")}>
            {run.tool_calls ? formatNumber(run.tool_calls) : ""}
          </span>
        ),
      },
      {
        key: "tokens",
        label: columns.tokens,
        width: "64px",
        isNumber: true,
        leaveOut: "medium",
        render: (run) => (
          <span title={words.tokens(run.input_tokens, run.output_tokens)}>
            {formatCompact(run.input_tokens + run.output_tokens)}
          </span>
        ),
      },
      {
        key: "cost",
        label: columns.cost,
        width: "72px",
        isNumber: true,
        leaveOut: "medium",
        render: (run) => (Number(run.cost) ? formatPoints(run.cost) : ""),
      },
      {
        key: "source",
        label: columns.source,
        width: "96px",
        leaveOut: "large",
        render: (run) => words.sources[run.source] ?? run.source,
      },
      {
        key: "user",
        label: columns.user,
        width: "minmax(72px, 120px)",
        leaveOut: "medium",
        render: (run) => (
          <span title={run.end_user_id}>{names.get(run.end_user_id) ?? run.end_user_id}</span>
        ),
      },
      {
        key: "feedback",
        label: columns.feedback,
        width: "64px",
        leaveOut: "medium",
        render: (run) => <Verdicts {...run.feedback} />,
      },
      {
        key: "tags",
        label: columns.tags,
        width: "minmax(72px, 140px)",
        leaveOut: "medium",
        render: (run) => <TagList tags={run.tags.map((value) => ({ value }))} />,
      },
    ];
    const wanted = new Set<string>(shown);
    return all.filter((column, index) => index === 0 || wanted.has(column.key));
  }, [columns, notKept, words, told, members, shown]);
}
