import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, done, unwrap } from "../../api/client";
import type { AdminTraceStatistics, AdminWaiting } from "../../api/schema";
import { HOME } from "../../directory/queries";
import { useSession } from "../../session/session";
import type { Unsaved } from "./unsaved";

export type Waiting = AdminWaiting;
export type Statistics = AdminTraceStatistics;

const HOUR_S = 3600;
export const DAY_S = 24 * HOUR_S;

function useRefreshHome(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [HOME] });
}

/** Figures of a day that ends at a time; by the hour where they are drawn. */
export function useDay(workspaceId: string, until: number, hasHours: boolean, isAllowed: boolean) {
  const query = {
    workspace_id: [workspaceId],
    since: String(until - DAY_S),
    until: String(until),
    ...(hasHours && { interval: "hour" }),
  };
  return useQuery({
    queryKey: ["admin.trace_stats.get", query],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/trace-stats", { params: { query }, signal })),
    enabled: isAllowed,
  }).data;
}

const UNSAVED = "unsaved";

/** What this browser keeps of things of a workspace, because no server has it. */
export function useUnsaved(workspaceId: string): readonly Unsaved[] | undefined {
  const userId = useSession().user.id;
  return useQuery({
    queryKey: [UNSAVED, userId, workspaceId],
    queryFn: async () => (await import("./unsaved")).unsavedIn(userId, workspaceId),
    staleTime: 0,
  }).data;
}

export function useRefreshUnsaved(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [UNSAVED] });
}

/** Lets a run make the calls that it waits with, or not; it goes on by itself. */
export function useAnswer() {
  const refresh = useRefreshHome();
  return useMutation({
    mutationFn: ({ waiting, isAllowed }: { waiting: Waiting; isAllowed: boolean }) =>
      done(
        client.POST("/admin/v1/runs/{run_id}/tool-outputs", {
          params: { path: { run_id: waiting.id } },
          body: {
            outputs: waiting.calls.map((call) => ({
              id: call.id,
              output: JSON.stringify({ approved: isAllowed }),
            })),
          },
        }),
      ),
    onSettled: refresh,
  });
}

/** What a run of a workflow asks. */
export function questionsQuery(workflowRunId: string) {
  return queryOptions({
    queryKey: ["admin.workflow_runs.get", workflowRunId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workflow-runs/{execute_id}", {
          params: { path: { execute_id: workflowRunId } },
          signal,
        }),
      ),
    staleTime: 0,
  });
}

/** Answers a question; the chat or the run of the workflow that asked goes on by itself. */
export function useReply() {
  const refresh = useRefreshHome();
  return useMutation({
    mutationFn: ({ waiting, questionId, reply }: Reply) =>
      done(
        waiting.parent_type === "workflow"
          ? client.POST("/admin/v1/workflow-runs/{execute_id}/resume", {
              params: { path: { execute_id: waiting.id } },
              body: { event_id: questionId, data: reply },
            })
          : client.POST("/admin/v1/runs/{run_id}/tool-outputs", {
              params: { path: { run_id: waiting.id } },
              body: {
                outputs: [{ id: `${waiting.workflow_run_id}/${questionId}`, output: reply }],
              },
            }),
      ),
    onSettled: refresh,
  });
}

type Reply = { waiting: Waiting; questionId: string; reply: string };
