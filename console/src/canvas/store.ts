import { createContext, use } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import {
  type History,
  type Moment,
  NO_HISTORY,
  pushed,
  redone,
  type Selection,
  undone,
} from "./commands/history";
import type { Path, Value } from "./document/tree";
import { graphOf } from "./model/graph";

type Panel = "node" | "run" | "problems" | "runs" | "versions" | "";

export type CanvasState = {
  readonly root: Value;
  /** What the server has. */
  readonly saved: Value;
  readonly revision: number;
  readonly history: History;
  readonly selection: Selection;
  readonly edges: Selection;
  readonly panel: Panel;
  /** The place of the chosen node whose field somebody is led to. */
  readonly place: Path | undefined;
  readonly isReadOnly: boolean;
  /** Says what a screen reader is to hear. */
  readonly said: string;
  apply: (label: string, change: (root: Value) => Value, options?: ApplyOptions) => void;
  undo: () => string | undefined;
  redo: () => string | undefined;
  select: (nodes: Iterable<string>, edges?: Iterable<string>) => void;
  open: (panel: Panel, place?: Path) => void;
  acknowledge: (saved: Value, revision: number) => void;
  load: (root: Value, revision: number) => void;
  say: (words: string) => void;
};

type ApplyOptions = {
  /** Steps of one field that follow each other quickly are one. */
  readonly field?: string;
  readonly selection?: Iterable<string>;
};

export type CanvasStore = StoreApi<CanvasState>;

const NONE: Selection = new Set();

/** The document of one canvas with what is chosen in it and how it came about. */
export function newCanvasStore(root: Value, revision: number, isReadOnly: boolean): CanvasStore {
  return createStore<CanvasState>((set, get) => ({
    root,
    saved: root,
    revision,
    history: NO_HISTORY,
    selection: NONE,
    edges: NONE,
    panel: "",
    place: undefined,
    isReadOnly,
    said: "",
    apply: (label, change, options = {}) => {
      const state = get();
      if (state.isReadOnly) return;
      const next = change(state.root);
      const selection = options.selection ? new Set(options.selection) : state.selection;
      if (next === state.root) return;
      const before: Moment = { root: state.root, selection: state.selection };
      const after: Moment = { root: next, selection };
      const step = { label, field: options.field ?? "", before, after, at: performance.now() };
      set({ root: next, selection, edges: NONE, history: pushed(state.history, step) });
    },
    undo: () => {
      const turn = get().isReadOnly ? undefined : undone(get().history);
      if (turn) set({ history: turn.history, ...turn.moment, edges: NONE });
      return turn?.label;
    },
    redo: () => {
      const turn = get().isReadOnly ? undefined : redone(get().history);
      if (turn) set({ history: turn.history, ...turn.moment, edges: NONE });
      return turn?.label;
    },
    select: (nodes, edges = NONE) => {
      const [chosen, lines] = [new Set(nodes), new Set(edges)];
      if (isSame(chosen, get().selection) && isSame(lines, get().edges)) return;
      set({ selection: chosen, edges: lines });
    },
    open: (panel, place) => set({ panel, place }),
    acknowledge: (saved, next) => set({ saved, revision: next }),
    load: (next, number) =>
      set({ root: next, saved: next, revision: number, history: NO_HISTORY, selection: NONE }),
    say: (words) => set({ said: words }),
  }));
}

function isSame(one: Selection, other: Selection): boolean {
  return one.size === other.size && [...one].every((each) => other.has(each));
}

export const CanvasContext = createContext<CanvasStore | undefined>(undefined);

export function useCanvasStore(): CanvasStore {
  const store = use(CanvasContext);
  if (!store) throw new Error("Outside of a canvas");
  return store;
}

export function useCanvas<T>(pick: (state: CanvasState) => T): T {
  return useStore(useCanvasStore(), pick);
}

/** The id of the only node that is chosen; it stays when the node changes. */
export function useChosenId(): string | undefined {
  return useCanvas(({ root, selection }) => {
    const [only] = selection;
    return selection.size === 1 && only && graphOf(root).nodes.has(only) ? only : undefined;
  });
}

/** The node whose form is open: the only one that is chosen. */
export function useChosenNode() {
  return useCanvas(({ root, selection }) => {
    const [only] = selection;
    return selection.size === 1 && only ? graphOf(root).nodes.get(only) : undefined;
  });
}
