import { createContext, use } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import { type Mocks, NO_MOCKS } from "./mocks";

export type NodeState = "pending" | "running" | "success" | "skipped" | "failed" | "waiting";

/** What one node did in a run, as the canvas shows it. */
export type NodeMark = {
  readonly state: NodeState;
  readonly durationMs: number;
  /** How often it ended, and how often it began: more than once inside loops. */
  readonly ended: number;
  readonly begun: number;
  readonly error: string;
  readonly port: string;
};

export type Overlay = {
  readonly runId: string;
  readonly marks: ReadonlyMap<string, NodeMark>;
  /** The nodes that there were when the run began, where that is known. */
  readonly nodes: ReadonlyMap<string, unknown> | undefined;
};

type Shown = {
  readonly overlay: Overlay | undefined;
  readonly mocks: Mocks;
  /** The view goes along with the node that runs. */
  readonly isFollowed: boolean;
};

export type OverlayStore = StoreApi<Shown>;

export function newOverlayStore(): OverlayStore {
  return createStore<Shown>(() => ({ overlay: undefined, mocks: NO_MOCKS, isFollowed: false }));
}

export const OverlayContext = createContext<OverlayStore | undefined>(undefined);

function useOverlayStore(): OverlayStore {
  const store = use(OverlayContext);
  if (!store) throw new Error("Outside of a canvas");
  return store;
}

export function useOverlay(): Overlay | undefined {
  return useStore(useOverlayStore(), (state) => state.overlay);
}

/** What a node did in the run that is laid over the canvas. */
export function useMark(id: string): NodeMark | undefined {
  return useStore(useOverlayStore(), (state) => state.overlay?.marks.get(id));
}

export function useIsFollowed(): boolean {
  return useStore(useOverlayStore(), (state) => state.isFollowed);
}

/** The node that began to run last and still does, where the view is to go along. */
export function useFollowed(): string | undefined {
  return useStore(useOverlayStore(), ({ overlay, isFollowed }) => {
    const marks = isFollowed ? [...(overlay?.marks ?? [])] : [];
    return marks.findLast(([, { state }]) => state === "running")?.[0];
  });
}

/** Outputs that stand for nodes in test runs. */
export function useMocks(): Mocks {
  return useStore(useOverlayStore(), (state) => state.mocks);
}

export function useIsMocked(id: string): boolean {
  return useStore(useOverlayStore(), (state) => state.mocks.has(id));
}

/** Whether a run is shown in which a node had no part. */
export function useIsFaded(id: string): boolean {
  return useStore(
    useOverlayStore(),
    // What was added since is no part of the run, and nothing that it left out.
    ({ overlay }) =>
      overlay !== undefined && !overlay.marks.has(id) && (overlay.nodes?.has(id) ?? true),
  );
}
