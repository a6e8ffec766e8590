import { useInfiniteQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { client, unwrap } from "../../api/client";
import { failureOf } from "../../api/list";
import type { AdminWorkflowRun } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { formatDuration } from "../../text/formats";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Ago } from "../../ui/time/ago";
import panel from "../forms/panel.module.css";
import rows from "../forms/rows.module.css";
import { useCanvasStore } from "../store";
import { canvasText } from "../text";
import type { RunView } from "./recorder";
import { Outcome, PhaseBadge } from "./run-panel";
import styles from "./run-panel.module.css";
import { useRun, useRunControl } from "./run-store";

const PHASES: Readonly<Record<number, RunView["phase"]>> = {
  1: "running",
  2: "success",
  3: "failed",
  4: "cancelled",
  5: "interrupted",
};

/** Runs of the past; a chosen one is laid over the canvas. */
export function RunsPanel({ workflowId }: { workflowId: string }) {
  const text = useText(canvasText);
  const store = useCanvasStore();
  const control = useRunControl();
  const run = useRun();
  const query = useInfiniteQuery({
    queryKey: ["admin.workflow_runs.list", workflowId],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        client.GET("/admin/v1/workflows/{workflow_id}/runs", {
          params: {
            path: { workflow_id: workflowId },
            query: { limit: "30", ...(pageParam && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor,
    staleTime: 0,
  });
  const runs = query.data?.pages.flatMap((page) => page.items) ?? [];
  const failure = failureOf(query.error);
  return (
    <div className={panel.panel}>
      <header className={panel.head}>
        <h2 className={styles.title}>{text.run.runs}</h2>
        <IconButton
          size="compact"
          label={text.close}
          icon={<X size={16} />}
          onClick={() => store.getState().open("")}
        />
      </header>
      <div className={panel.body}>
        {run.view && <Outcome view={run.view} />}
        {failure && <ErrorLine failure={failure} />}
        {query.isSuccess && runs.length === 0 && <p className={rows.section}>{text.run.noRuns}</p>}
        <ul className={styles.list}>
          {runs.map((each) => (
            <li key={each.execute_id}>
              <button
                type="button"
                className={styles.item}
                aria-current={each.execute_id === run.runId || undefined}
                onClick={() => void control.show(each.execute_id)}
              >
                <PhaseBadge phase={PHASES[each.status] ?? "running"} />
                <span className={styles.words}>
                  <span className={styles.line}>{inputLine(each)}</span>
                  <span className={styles.small}>
                    {[each.version || text.run.draft, formatDuration(each.duration_ms)].join(" · ")}
                  </span>
                </span>
                <Ago at={each.created_at} />
              </button>
            </li>
          ))}
        </ul>
        {query.hasNextPage && (
          <div className={rows.section}>
            <Button
              size="compact"
              isLoading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {text.run.moreRuns}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

function inputLine({ input }: AdminWorkflowRun): string {
  return Object.values(input)
    .map((each) => (typeof each === "string" ? each : JSON.stringify(each)))
    .join(" · ")
    .slice(0, 120);
}
