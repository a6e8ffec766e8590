import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { EyeOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { client, unwrap } from "../../api/client";
import { failureOf } from "../../api/list";
import { isRefusal, openEvents } from "../../api/run-events";
import { followRun } from "../../stream/run";
import { useText } from "../../text/catalogue";
import { traceBodyText } from "../../trace/body-text";
import type { Span } from "../../trace/layout";
import { LiveSpans } from "../../trace/live";
import { traceQuery } from "../../trace/queries";
import { RunState } from "../../trace/run-state";
import { Waterfall } from "../../trace/waterfall";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ErrorState } from "../../ui/error-state/error-state";
import { Page, PageBody } from "../../ui/page/page";

const PAINT_MS = 250;
/** The trace is stored with the end of the run; tells how long to wait for it. */
const PAUSES_MS = [100, 300, 1000, 3000];
const FLOW_ENDS = new Set(["run_ended", "run_interrupted"]);

type Props = { workspaceId: string; runId: string };

/** A run that has no trace yet: its steps while it takes them, until the trace is there. */
export function LiveTrace({ workspaceId, runId }: Props) {
  const text = useText(traceBodyText);
  const kind = useKind(runId);
  const { spans, isOver } = useSpans(runId, kind.data);
  const [chosen, setChosen] = useState<string>();
  const failure = failureOf(kind.error);
  const path = (
    <Link to="/w/$workspaceId/runs" params={{ workspaceId }}>
      {text.runs}
    </Link>
  );
  if (failure)
    return (
      <Page title={runId} path={path}>
        <PageBody>
          <ErrorState failure={failure} onRetry={() => void kind.refetch()} />
        </PageBody>
      </Page>
    );
  if (isOver)
    return (
      <Page title={runId} path={path}>
        <PageBody>
          <EmptyState title={text.untraced} drawing={<EyeOff size={40} strokeWidth={1} />}>
            {text.untracedWhy}
          </EmptyState>
        </PageBody>
      </Page>
    );
  return (
    <Page
      title={spans[0]?.name ?? runId}
      context={text.runs}
      path={path}
      state={<RunState status="running" />}
    >
      <Waterfall spans={spans} chosenId={chosen} onChoose={setChosen} />
    </Page>
  );
}

/** Whether an agent or a workflow runs; what is neither is not there, or not for the caller. */
function useKind(runId: string) {
  return useQuery({
    queryKey: ["runs.kind", runId],
    queryFn: async ({ signal }) => {
      try {
        const params = { path: { run_id: runId } };
        await unwrap(client.GET("/admin/v1/chats/{run_id}", { params, signal }));
        return "chat" as const;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const params = { path: { execute_id: runId } };
        await unwrap(client.GET("/admin/v1/workflow-runs/{execute_id}", { params, signal }));
        return "workflow" as const;
      }
    },
  });
}

function useSpans(runId: string, kind: "chat" | "workflow" | undefined) {
  const queries = useQueryClient();
  const [spans, setSpans] = useState<readonly Span[]>([]);
  const [isOver, setOver] = useState(false);
  const live = useRef(new LiveSpans());
  useEffect(() => {
    if (!kind) return;
    const stop = new AbortController();
    const { signal } = stop;
    const room = kind === "chat" ? "runs" : "workflow-runs";
    const paint = setInterval(
      () => setSpans(live.current.view((performance.timeOrigin + performance.now()) * 1000)),
      PAINT_MS,
    );
    async function follow(): Promise<void> {
      const events = followRun({
        open: openEvents(`/admin/v1/${room}/${encodeURIComponent(runId)}/events?spans=true`),
        signal,
        isFinal: isRefusal,
        onSpan: (span) => live.current.take(span),
        ...(kind === "workflow" && { endings: FLOW_ENDS }),
      });
      for await (const _ of events);
    }
    async function settle(): Promise<void> {
      await follow().catch(() => undefined);
      for (const pause of PAUSES_MS) {
        if (signal.aborted) return;
        await queries.refetchQueries({ queryKey: traceQuery(runId).queryKey });
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      if (!signal.aborted) setOver(true);
    }
    void settle();
    return () => {
      stop.abort();
      clearInterval(paint);
    };
  }, [runId, kind, queries]);
  return { spans, isOver };
}
