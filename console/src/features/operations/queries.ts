import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "../../api/client";
import { failureOf, useList } from "../../api/list";
import { PAGE_ROWS } from "../../api/queries";
import type {
  CheckItem,
  DeadLetterItem,
  HealthAnswer,
  LogItem,
  PartItem,
  ProcessItem,
  QueueItem,
  RetryLettersBody,
  SeriesView,
  SettingView,
  TaskItem,
} from "../../api/schema";

export type Health = HealthAnswer;
export type Part = PartItem;
export type Process = ProcessItem;
export type Queue = QueueItem;
export type Task = TaskItem;
export type Letter = DeadLetterItem;
export type Line = LogItem;
export type Setting = SettingView;
export type Check = CheckItem;
export type Figure = SeriesView;

const HEALTH = "admin.operations.get_health";
const TASKS = "admin.tasks.list";
const LETTERS = "admin.dead_letters.list";
/** The server asks its parts every two seconds: a failure is here within five. */
const HEALTH_MS = 1500;
const SLOW_MS = 5000;
const FIGURES_MS = 15_000;

export function useHealth() {
  return useQuery({
    queryKey: [HEALTH],
    queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/operations/health", { signal })),
    refetchInterval: HEALTH_MS,
  });
}

export function useProcesses() {
  return useQuery({
    queryKey: ["admin.operations.list_processes"],
    queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/operations/processes", { signal })),
    refetchInterval: SLOW_MS,
  });
}

export function useQueues() {
  return useQuery({
    queryKey: ["admin.operations.list_queues"],
    queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/operations/queues", { signal })),
    refetchInterval: SLOW_MS,
  });
}

/** Figures of so many seconds until now. */
export function useFigures(spanS: number) {
  return useQuery({
    queryKey: ["admin.operations.get_metrics", spanS],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/operations/metrics", {
          params: { query: { since: String(Math.floor(Date.now() / 1000) - spanS) } },
          signal,
        }),
      ),
    refetchInterval: FIGURES_MS,
  });
}

export function useTasks(state: string | undefined) {
  return useList<Task>({
    key: [TASKS, state],
    fetch: (cursor, signal) =>
      unwrap(
        client.GET("/admin/v1/tasks", {
          params: {
            query: {
              limit: String(PAGE_ROWS),
              ...(state && { state }),
              ...(cursor && { cursor }),
            },
          },
          signal,
        }),
      ),
  });
}

export function useSettleTask(verb: "retry" | "cancel") {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Task) => {
      const params = { path: { task_id: id } };
      return verb === "retry"
        ? unwrap(client.POST("/admin/v1/tasks/{task_id}/retry", { params }))
        : unwrap(client.POST("/admin/v1/tasks/{task_id}/cancel", { params }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [TASKS] }),
  });
}

/** Which letters are meant; nothing named means all of them. */
export type LetterFilter = Partial<Pick<RetryLettersBody, "event_id" | "consumer" | "q">>;

export function useLetters(filter: LetterFilter) {
  const query = useQuery({
    queryKey: [LETTERS, filter],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/dead-letters", {
          params: {
            query: {
              limit: String(PAGE_ROWS),
              ...(filter.consumer && { consumer: filter.consumer }),
              ...(filter.q && { q: filter.q }),
            },
          },
          signal,
        }),
      ),
    refetchInterval: SLOW_MS,
  });
  return wholeList(query);
}

/** The letters of one event, with what it says. */
export function useLetter(eventId: string) {
  return useQuery({
    queryKey: ["admin.dead_letters.get", eventId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/dead-letters/{event_id}", {
          params: { path: { event_id: eventId } },
          signal,
        }),
      ),
  });
}

function meant(filter: LetterFilter) {
  const isAll = !Object.values(filter).some(Boolean);
  return { event_id: "", consumer: "", topic: "", q: "", ...filter, is_all: isAll };
}

export function useRetryLetters() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (filter: LetterFilter) =>
      unwrap(client.POST("/admin/v1/dead-letters:retry", { body: meant(filter) })),
    onSettled: () => queries.invalidateQueries({ queryKey: [LETTERS] }),
  });
}

export function useDropLetters() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ filter, reason }: { filter: LetterFilter; reason: string }) =>
      unwrap(client.POST("/admin/v1/dead-letters:drop", { body: { ...meant(filter), reason } })),
    onSettled: () => queries.invalidateQueries({ queryKey: [LETTERS] }),
  });
}

export function useLines(level: string | undefined, q: string | undefined) {
  const query = useQuery({
    queryKey: ["admin.operations.list_logs", level, q],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/operations/logs", {
          params: { query: { limit: "1000", ...(level && { level }), ...(q && { q }) } },
          signal,
        }),
      ),
    refetchInterval: SLOW_MS,
  });
  return wholeList(query);
}

export function useSettings() {
  return useQuery({
    queryKey: ["admin.operations.list_settings"],
    queryFn: ({ signal }) => unwrap(client.GET("/admin/v1/operations/settings", { signal })),
  });
}

export function useExamine() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => unwrap(client.POST("/admin/v1/operations/doctor")),
    onSuccess: () => queries.invalidateQueries({ queryKey: [HEALTH] }),
  });
}

type Whole<T> = {
  data: { items: T[]; total: number } | undefined;
  error: Error | null;
  isPending: boolean;
  refetch: () => Promise<unknown>;
};

/** A list that is told at once, as lists show their rows. */
export function wholeList<T>({ data, error, isPending, refetch }: Whole<T>) {
  return {
    rows: data?.items ?? [],
    total: data?.total ?? 0,
    isPending,
    hasMore: false,
    loadMore: () => undefined,
    failure: data ? undefined : failureOf(error),
    retry: () => void refetch(),
  };
}
