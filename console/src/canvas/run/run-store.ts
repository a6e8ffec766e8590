import { createContext, use } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import { client, done, unwrap } from "../../api/client";
import type { ApiError } from "../../api/errors";
import { failureOf } from "../../api/list";
import type { Value } from "../document/tree";
import { graphOf } from "../model/graph";
import { workflowEvents } from "./follow";
import { type Mocks, mocksFor } from "./mocks";
import type { OverlayStore } from "./overlay";
import { RunRecorder, type RunView, recordedRun } from "./recorder";

/** A canvas is painted this often at most, however many events come. */
const PAINT_MS = 33;

export type RunState = {
  readonly runId: string;
  readonly view: RunView | undefined;
  readonly isStarting: boolean;
  /** The one node that was tried; empty for the whole. */
  readonly nodeId: string;
  /** What the canvas was when the run began. */
  readonly root: Value | undefined;
  readonly failure: ApiError | { message: string } | undefined;
};

const NOTHING: RunState = {
  runId: "",
  view: undefined,
  isStarting: false,
  nodeId: "",
  root: undefined,
  failure: undefined,
};

type Inputs = Readonly<Record<string, unknown>>;

/** What a repeated node reads instead, and results of nodes before it. */
export type Changed = {
  inputs?: Record<string, unknown>;
  outputs?: Record<string, Record<string, unknown>>;
};

/** Runs of a canvas that its editor began or looks at, one at a time. */
export class RunControl {
  readonly store: StoreApi<RunState> = createStore<RunState>(() => NOTHING);
  private stop = new AbortController();
  private recorder = new RunRecorder();
  private seq = 0;
  private readonly workflowId: string;
  private readonly overlay: OverlayStore;

  constructor(workflowId: string, overlay: OverlayStore) {
    this.workflowId = workflowId;
    this.overlay = overlay;
  }

  /** Lets outputs stand for nodes in test runs from now on. */
  setMocks(mocks: Mocks): void {
    this.overlay.setState({ mocks });
  }

  /** The same for one node; nothing lets it run again. */
  mock(nodeId: string, outputs: Readonly<Record<string, unknown>> | undefined): void {
    const mocks = new Map(this.overlay.getState().mocks);
    if (outputs) mocks.set(nodeId, outputs);
    else mocks.delete(nodeId);
    this.setMocks(mocks);
  }

  /** Lets the view go along with the node that runs, or stay where it is. */
  setFollowed(isFollowed: boolean): void {
    this.overlay.setState({ isFollowed });
  }

  /** Tries the whole draft; nodes with fixed outputs do not run. */
  start(inputs: Inputs, root: Value): Promise<void> {
    return this.begin("", root, () =>
      unwrap(
        client.POST("/admin/v1/workflows/{workflow_id}/test-runs", {
          params: { path: { workflow_id: this.workflowId } },
          body: {
            inputs: { ...inputs },
            mocks: mocksFor(graphOf(root), this.overlay.getState().mocks),
          },
        }),
      ),
    );
  }

  /** Tries one node of the draft. */
  startNode(nodeId: string, input: Inputs, lists: Inputs, root: Value): Promise<void> {
    return this.begin(nodeId, root, () =>
      unwrap(
        client.POST("/admin/v1/workflows/{workflow_id}/nodes/{node_id}/test-runs", {
          params: { path: { workflow_id: this.workflowId, node_id: nodeId } },
          body: { input: { ...input }, batch: { ...lists }, settings: {} },
        }),
      ),
    );
  }

  /** Runs again from a node on, with what came before it or what was changed of that. */
  repeat(nodeId: string, changed: Changed, root: Value): Promise<void> {
    const { runId } = this.store.getState();
    const repeated = () =>
      unwrap(
        client.POST("/admin/v1/workflow-runs/{execute_id}/repeats", {
          params: { path: { execute_id: runId } },
          body: { node_id: nodeId, ...changed },
        }),
      );
    return this.begin("", root, repeated, true);
  }

  private async begin(
    nodeId: string,
    root: Value,
    call: () => Promise<{ execute_id: string }>,
    /** The run before stays in sight until the new one has begun. */
    keeps = false,
  ): Promise<void> {
    if (!keeps) this.reset();
    const before = keeps ? { ...this.store.getState(), failure: undefined } : NOTHING;
    this.store.setState({ ...before, nodeId, root, isStarting: true }, true);
    try {
      const { execute_id } = await call();
      if (keeps) this.reset();
      this.store.setState({ ...NOTHING, nodeId, root, runId: execute_id }, true);
      await this.follow(execute_id);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Answers an open question; the run goes on. */
  async answer(eventId: string, data: string): Promise<void> {
    const { runId } = this.store.getState();
    try {
      await unwrap(
        client.POST("/admin/v1/workflow-runs/{execute_id}/resume", {
          params: { path: { execute_id: runId } },
          body: { event_id: eventId, data },
        }),
      );
      await this.follow(runId);
    } catch (error) {
      this.fail(error);
    }
  }

  async cancel(): Promise<void> {
    const { runId } = this.store.getState();
    await done(
      client.POST("/admin/v1/workflow-runs/{execute_id}/cancel", {
        params: { path: { execute_id: runId } },
      }),
    ).catch((error: unknown) => this.fail(error));
  }

  /** Lays a run of the past over the canvas; one that goes on is followed. */
  async show(runId: string): Promise<void> {
    this.reset();
    this.store.setState({ ...NOTHING, runId, isStarting: true }, true);
    try {
      const process = await unwrap(
        client.GET("/admin/v1/workflow-runs/{execute_id}", {
          params: { path: { execute_id: runId } },
        }),
      );
      const view = recordedRun(process);
      this.store.setState({ isStarting: false });
      if (view.phase === "running") await this.follow(runId);
      else this.publish(view);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Takes the run off the canvas; it goes on where it is not over. */
  close(): void {
    this.reset();
    this.store.setState(NOTHING, true);
    this.overlay.setState({ overlay: undefined });
  }

  private reset(): void {
    this.stop.abort();
    this.stop = new AbortController();
    this.recorder = new RunRecorder();
    this.seq = 0;
    this.overlay.setState({ overlay: undefined });
  }

  private async follow(runId: string): Promise<void> {
    const { signal } = this.stop;
    const { recorder } = this;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const paint = () => {
      timer = undefined;
      if (!signal.aborted) this.publish(recorder.view());
    };
    paint();
    for await (const { seq, event } of workflowEvents(runId, this.seq, signal)) {
      this.seq = seq;
      recorder.take(event);
      timer ??= setTimeout(paint, PAINT_MS);
    }
    clearTimeout(timer);
    paint();
  }

  private publish(view: RunView): void {
    const { runId, root } = this.store.getState();
    this.store.setState({ view });
    const nodes = root && graphOf(root).nodes;
    this.overlay.setState({ overlay: { runId, marks: view.marks, nodes } });
  }

  private fail(error: unknown): void {
    const failure = failureOf(error instanceof Error ? error : new Error(String(error)));
    this.store.setState({ isStarting: false, failure });
  }
}

export const RunContext = createContext<RunControl | undefined>(undefined);

export function useRunControl(): RunControl {
  const control = use(RunContext);
  if (!control) throw new Error("Outside of a canvas");
  return control;
}

export function useRun(): RunState {
  return useStore(useRunControl().store);
}

const NO_RESULTS: readonly never[] = [];

/** What a node did in the run that is shown, each time that it was carried out. */
export function useResults(nodeId: string) {
  return useStore(useRunControl().store, (state) => state.view?.results.get(nodeId) ?? NO_RESULTS);
}
