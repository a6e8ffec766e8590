import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { client, unwrap } from "../api/client";
import { type ApiError, apiError } from "../api/errors";
import { failureOf } from "../api/list";
import { asApiError } from "../api/queries";
import type { AdminWorkflow, SavedAdminCanvas } from "../api/schema";
import { transport } from "../api/transport";
import type { Recovery } from "../session/recovery";
import { type Clash, merged } from "./commands/merge";
import { parse } from "./document/parse";
import { type Value, write } from "./document/tree";
import { useProblemStore } from "./problems";
import { useCanvas, useCanvasStore } from "./store";

const REST_MS = 600;
const LATEST_MS = 5000;
const RETRY_MS = 4000;
const STALE = 409;

export type Conflict = {
  readonly clashes: readonly Clash[];
  readonly settle: (keep: "mine" | "theirs") => void;
};

export type Saving = {
  readonly state: "saved" | "saving" | "unsaved" | "failed" | "conflict";
  readonly failure: ApiError | { message: string } | undefined;
  readonly conflict: Conflict | undefined;
  readonly saveNow: () => Promise<boolean>;
  /** Takes over what an earlier page could not save. */
  readonly restore: (unsaved: Unsaved) => void;
};

/** A canvas that the server has not acknowledged, and the one that it was made of. */
export type Unsaved = { readonly base: string; readonly text: string };

type Texts = { readonly merge: string; readonly restore: string };

/** Tells of the revisions that others make, and of none where some may have been missed. */
export type Changes = (hear: (revision?: number) => void) => () => void;

/** What is still being saved of canvases that were left. */
const leaving = new Map<string, Promise<boolean>>();

/** A workflow without its canvas. */
export function loadWorkflow(workflowId: string, signal?: AbortSignal): Promise<AdminWorkflow> {
  return unwrap(
    client.GET("/admin/v1/workflows/{workflow_id}", {
      params: { path: { workflow_id: workflowId } },
      ...(signal ? { signal } : {}),
    }),
  );
}

/** The text of a canvas as the server has it, and the revision that it is of. */
export async function loadCanvas(
  workflowId: string,
  version: string,
  signal?: AbortSignal,
): Promise<{ workflow: AdminWorkflow; text: string }> {
  await leaving.get(workflowId);
  const init = signal ? { signal } : {};
  const query = version ? { version } : {};
  const [workflow, response] = await Promise.all([
    loadWorkflow(workflowId, signal),
    transport(
      new Request(
        `${location.origin}/admin/v1/workflows/${encodeURIComponent(workflowId)}/export?${new URLSearchParams(query)}`,
        init,
      ),
    ),
  ]);
  const text = await response.text();
  // Somebody may save between the two: what is edited has the revision that came with the text.
  return { workflow: { ...workflow, revision: revisionOf(response) ?? workflow.revision }, text };
}

/** The revision in the header that `If-Match` wants back; versions have none. */
function revisionOf({ headers }: Response): number | undefined {
  const tag = /^"(\d+)"$/.exec(headers.get("ETag") ?? "")?.[1];
  return tag ? Number(tag) : undefined;
}

/** Stores the text of a draft that nobody changed since `revision`. */
export async function put(
  workflowId: string,
  text: string,
  revision: number,
): Promise<SavedAdminCanvas> {
  const response = await transport(
    new Request(`${location.origin}/admin/v1/workflows/${encodeURIComponent(workflowId)}/canvas`, {
      method: "PUT",
      body: text,
      headers: { "Content-Type": "application/json", "If-Match": `"${revision}"` },
    }),
  );
  const body: unknown = await response.json();
  if (!isSaved(body)) throw apiError(response, body);
  return body;
}

function isSaved(body: unknown): body is SavedAdminCanvas {
  return typeof body === "object" && body !== null && "workflow" in body && "findings" in body;
}

/** Saves by itself what changes, and puts it together with what others saved meanwhile. */
export function useSaving(
  workflowId: string,
  labels: Texts,
  changes: Changes,
  recovery: Recovery<Unsaved>,
): Saving {
  const store = useCanvasStore();
  const problems = useProblemStore();
  const queries = useQueryClient();
  const isDirty = useCanvas((state) => state.root !== state.saved);
  const [phase, setPhase] = useState<"rest" | "saving" | "failed" | "conflict">("rest");
  const [failure, setFailure] = useState<Saving["failure"]>();
  const [conflict, setConflict] = useState<Conflict>();
  const running = useRef<Promise<boolean>>(undefined);
  const dirtySince = useRef(0);

  /** Puts what the server has beneath the own changes since `base`; tells whether that works. */
  const meet = useCallback(
    (revision: number, theirs: Value, mine: Value, base: Value): boolean => {
      const both = merged(base, mine, theirs);
      const settle = (keep: "mine" | "theirs"): void => {
        const { root: next } = merged(base, store.getState().root, theirs, keep);
        store.getState().acknowledge(theirs, revision);
        store.getState().apply(labels.merge, () => next);
        setConflict(undefined);
        setPhase("rest");
      };
      if (both.clashes.length === 0) {
        settle("mine");
        return true;
      }
      setConflict({ clashes: both.clashes, settle });
      setPhase("conflict");
      return false;
    },
    [store, labels.merge],
  );

  const push = useCallback(async (): Promise<boolean> => {
    const { root: now, saved: old, revision } = store.getState();
    if (now === old || write(now) === write(old)) {
      if (now !== old) store.getState().acknowledge(now, revision);
      return true;
    }
    setPhase("saving");
    try {
      const answer = await put(workflowId, write(now), revision);
      store.getState().acknowledge(now, answer.workflow.revision);
      problems.setState({ all: answer.findings.diagnostics, state: "ready" });
      queries.setQueryData(["admin.workflows.get", workflowId], answer.workflow);
      void queries.invalidateQueries({ queryKey: ["admin.workflows.list"] });
      setFailure(undefined);
      setPhase("rest");
      return true;
    } catch (error) {
      const known = asApiError(error);
      if (known?.status !== STALE) {
        setFailure(failureOf(error instanceof Error ? error : new Error(String(error))));
        setPhase("failed");
        return false;
      }
      const { workflow, text } = await loadCanvas(workflowId, "");
      meet(workflow.revision, parse(text).value, now, old);
      return false;
    }
  }, [store, problems, queries, workflowId, meet]);

  const pull = useCallback(async (): Promise<boolean> => {
    try {
      const { workflow, text } = await loadCanvas(workflowId, "");
      const { root: mine, saved: base, revision, isReadOnly } = store.getState();
      if (workflow.revision <= revision) return true;
      queries.setQueryData(["admin.workflows.get", workflowId], workflow);
      if (text === write(base)) {
        store.getState().acknowledge(base, workflow.revision);
        return true;
      }
      const theirs = parse(text).value;
      if (!isReadOnly) return meet(workflow.revision, theirs, mine, base);
      store.setState({ root: theirs, saved: theirs, revision: workflow.revision });
      return true;
    } catch {
      // The next save meets it, or says what is wrong.
      return false;
    }
  }, [store, queries, workflowId, meet]);

  const saveNow = useCallback(async (): Promise<boolean> => {
    for (let turn = 0; turn < 3; turn += 1) {
      await running.current;
      running.current = push();
      if (await running.current) {
        const { root: now, saved: kept } = store.getState();
        if (now === kept) return true;
      }
    }
    return false;
  }, [push, store]);

  const restore = useCallback(
    ({ base, text }: Unsaved): void => {
      const { saved: theirs, revision } = store.getState();
      const [old, mine] = [parse(base).value, parse(text).value];
      const both = merged(old, mine, theirs);
      const isClear = both.clashes.length === 0;
      store.getState().apply(labels.restore, () => (isClear ? both.root : mine));
      if (!isClear) meet(revision, theirs, mine, old);
    },
    [store, labels.restore, meet],
  );

  useEffect(
    () =>
      store.subscribe(({ root: now, saved }, before) => {
        if (now === before.root && saved === before.saved) return;
        if (now === saved) recovery.drop();
        else recovery.keep(() => ({ base: write(saved), text: write(now) }));
      }),
    [store, recovery],
  );

  const hear = useEffectEvent(async (revision?: number) => {
    await running.current;
    const now = store.getState();
    // What is not saved yet meets it when it is.
    if (now.root !== now.saved || (revision !== undefined && revision <= now.revision)) return;
    running.current = pull();
  });
  useEffect(() => changes((revision) => void hear(revision)), [changes]);

  useEffect(() => {
    if (!isDirty || phase === "saving" || phase === "conflict") return;
    if (!dirtySince.current) dirtySince.current = performance.now();
    let timer: ReturnType<typeof setTimeout>;
    const rest = () => {
      const left = LATEST_MS - (performance.now() - dirtySince.current);
      const wait = phase === "failed" ? RETRY_MS : Math.max(0, Math.min(REST_MS, left));
      clearTimeout(timer);
      timer = setTimeout(() => {
        dirtySince.current = 0;
        void saveNow();
      }, wait);
    };
    rest();
    const stop = store.subscribe((now, old) => {
      if (now.root !== old.root) rest();
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [isDirty, phase, saveNow, store]);

  const leave = useEffectEvent((event: BeforeUnloadEvent) => {
    if (store.getState().root === store.getState().saved) return;
    void saveNow();
    event.preventDefault();
  });
  const hide = useEffectEvent(() => {
    if (document.visibilityState === "hidden") void saveNow();
  });
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => leave(event);
    const onHide = () => hide();
    addEventListener("beforeunload", onLeave);
    document.addEventListener("visibilitychange", onHide);
    return () => {
      removeEventListener("beforeunload", onLeave);
      document.removeEventListener("visibilitychange", onHide);
      const last = saveNow().finally(() => {
        if (leaving.get(workflowId) === last) leaving.delete(workflowId);
        recovery.close();
      });
      leaving.set(workflowId, last);
    };
  }, [saveNow, workflowId, recovery]);

  const state =
    phase === "conflict" || phase === "failed" || phase === "saving"
      ? phase
      : isDirty
        ? "unsaved"
        : "saved";
  return { state, failure, conflict, saveNow, restore };
}
