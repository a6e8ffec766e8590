import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { HOME } from "../directory/queries";
import { live } from "../presence/channel";
import type { LiveEvent } from "../presence/live";
import { SESSION_KEY } from "../session/session";

/** How long to gather what is told, and how long nothing of it is asked again after that. */
const GATHER_MS = 100;
const REST_MS = 1000;

/** Those whose open editor takes in what others save by itself. */
const HAS_EDITOR = new Set(["agent", "workflow"]);
/** What belongs to one thing, beside itself. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  plugin: ["admin.plugin_tools.list", "admin.plugins.list_changes"],
};
const KINDS = ["agent", "workflow", "dataset", "plugin", "database", "prompt"];
const LISTS = KINDS.map(listOf);

/**
 * Has what is on the screen asked anew when the live channel tells that it is not so any more,
 * until the returned function is called.
 */
export function keepFresh(queries: QueryClient): () => void {
  const stale = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let askedAt = 0;
  const ask = () => {
    timer = undefined;
    askedAt = Date.now();
    for (const queryKey of stale.values()) void queries.invalidateQueries({ queryKey });
    stale.clear();
  };
  const end = live().listen((event) => {
    for (const key of staleAfter(event)) stale.set(JSON.stringify(key), key);
    if (stale.size === 0) return;
    timer ??= setTimeout(ask, Math.max(GATHER_MS, askedAt + REST_MS - Date.now()));
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** The keys of what an event makes wrong. */
export function staleAfter(event: LiveEvent): readonly QueryKey[] {
  switch (event.type) {
    case "changed":
      return staleAfterChange(event);
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
}: Extract<LiveEvent, { type: "changed" }>): readonly QueryKey[] {
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
