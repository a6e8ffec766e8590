import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { HOME } from "../directory/queries";
import { live } from "../presence/channel";
import type { LiveEvent } from "../presence/live";
import { SESSION_KEY } from "../session/session";

/** How long to gather what is told, and how long nothing of it is asked again after that. */
const GATHER_MS = 100;
const REST_MS = 1000;
/** Runs come without end where an agent is in use. */
const REST_OF_RUNS_MS = 5000;

/** Those whose open editor takes in what others save by itself. */
const HAS_EDITOR = new Set(["agent", "workflow"]);
/** What belongs to one thing, beside itself. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  plugin: ["admin.plugin_tools.list", "admin.plugins.list_changes"],
};
/** What is asked while something is read into a base, or a file into a table. */
const PROGRESS = "admin.datasets.get_progress";
const IMPORTS = "admin.database_imports.get";
/** What is shown of models, which belong to no workspace. */
const MODELS = ["admin.models.list", "admin.models.get", "admin.prices.list"];
const BUDGETS = "admin.budgets.list";
const KINDS = ["agent", "workflow", "dataset", "plugin", "database", "prompt"];
const LISTS = [...KINDS.map(listOf), ...MODELS, BUDGETS];

export type Notice = Extract<LiveEvent, { type: "notice" }>;

/**
 * Has what is on the screen asked anew when the live channel tells that it is not so any more,
 * and says what whoever manages a workspace is to know, until the returned function is called.
 */
export function keepFresh(queries: QueryClient, onNotice: (notice: Notice) => void): () => void {
  const [changes, runs] = [new Gatherer(queries, REST_MS), new Gatherer(queries, REST_OF_RUNS_MS)];
  const end = live().listen((event) => {
    const isOfRun = event.type === "changed" && event.what === "state";
    (isOfRun ? runs : changes).take(staleAfter(event));
    if (event.type === "notice") onNotice(event);
  });
  return () => {
    end();
    changes.stop();
    runs.stop();
  };
}

/** Asks anew for what is wrong, all at once and now and then. */
class Gatherer {
  private readonly stale = new Map<string, QueryKey>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private askedAt = 0;
  private readonly queries: QueryClient;
  private readonly restMs: number;

  constructor(queries: QueryClient, restMs: number) {
    this.queries = queries;
    this.restMs = restMs;
  }

  take(keys: readonly QueryKey[]): void {
    for (const key of keys) this.stale.set(JSON.stringify(key), key);
    if (this.stale.size === 0) return;
    const restsMs = this.askedAt + this.restMs - Date.now();
    this.timer ??= setTimeout(() => this.ask(), Math.max(GATHER_MS, restsMs));
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private ask(): void {
    this.timer = undefined;
    this.askedAt = Date.now();
    for (const queryKey of this.stale.values()) void this.queries.invalidateQueries({ queryKey });
    this.stale.clear();
  }
}

/** The keys of what an event makes wrong. */
export function staleAfter(event: LiveEvent): readonly QueryKey[] {
  switch (event.type) {
    case "changed":
      return staleAfterChange(event);
    case "models":
      return MODELS.map((name) => [name]);
    case "notice":
      return [[BUDGETS, event.workspace_id]];
    case "session":
      return [SESSION_KEY];
    case "reset":
      return [SESSION_KEY, [HOME], ...LISTS.map((name) => [name])];
    default:
      return [];
  }
}

function staleAfterChange({
  workspace_id: workspaceId,
  resource_type: type,
  resource_id: id,
  what,
}: Extract<LiveEvent, { type: "changed" }>): readonly QueryKey[] {
  if (what === "progress") return [[type === "database" ? IMPORTS : PROGRESS, id]];
  if (what === "state") return [["runs.fresh"], [HOME, workspaceId]];
  const shown = [
    [listOf(type), workspaceId],
    [HOME, workspaceId],
  ];
  if (HAS_EDITOR.has(type)) return shown;
  const own = [`admin.${type}s.get`, ...(PARTS[type] ?? [])];
  return [...shown, ...own.map((name) => [name, id])];
}

function listOf(type: string): string {
  return `admin.${type}s.list`;
}
