import { createContext, use } from "react";
import type { Comparison, EdgeState, NodeState } from "./compare";

/** What a comparison says of the nodes and lines that are drawn; nothing where none is shown. */
export const MarksContext = createContext<Pick<Comparison, "nodes" | "edges"> | undefined>(
  undefined,
);

export function useNodeState(id: string): NodeState | undefined {
  return use(MarksContext)?.nodes.get(id);
}

export function useEdgeState(key: string): EdgeState | undefined {
  return use(MarksContext)?.edges.get(key);
}
