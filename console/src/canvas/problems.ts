import { createContext, use } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import type { Diagnostic } from "../api/schema";

export type Problems = {
  readonly all: readonly Diagnostic[];
  readonly state: "none" | "checking" | "ready" | "failed";
};

export type ProblemStore = StoreApi<Problems>;

export function newProblemStore(): ProblemStore {
  return createStore<Problems>(() => ({ all: [], state: "none" }));
}

export const ProblemContext = createContext<ProblemStore | undefined>(undefined);

export function useProblemStore(): ProblemStore {
  const store = use(ProblemContext);
  if (!store) throw new Error("Outside of a canvas");
  return store;
}

export function useProblems(): Problems {
  return useStore(useProblemStore());
}

/** The worst that is wrong with a node, and how much: "error 2", "warning 1", or nothing. */
export function useNodeProblem(id: string): string {
  return useStore(useProblemStore(), ({ all }) => {
    const own = all.filter((each) => each.node_id === id && each.severity !== "info");
    const errors = own.filter((each) => each.severity === "error").length;
    if (errors > 0) return `error ${errors}`;
    return own.length > 0 ? `warning ${own.length}` : "";
  });
}
