import { at, numberOf } from "../document/read";
import type { Field } from "../model/field";
import type { CanvasNode, Graph } from "../model/graph";
import { BREAK, CONTINUE, isEnd, isRunnable, NOTE } from "../model/kind";
import { portsOf } from "../model/port";

/** Outputs of nodes that do not run in test runs, by their ids. */
export type Mocks = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

export const NO_MOCKS: Mocks = new Map();

const LEAVES = new Set([NOTE, BREAK, CONTINUE]);

/** Whether a fixed output can stand for a node: it neither begins, ends nor chooses a way. */
export function isMockable(node: CanvasNode): boolean {
  return (
    isRunnable(node.type) &&
    !isEnd(node.type) &&
    !LEAVES.has(node.type) &&
    portsOf(node).outputs.every((port) => port.kind === "plain" || port.kind === "error")
  );
}

/** Those that the canvas still has a place for, as a run takes them. */
export function mocksFor(graph: Graph, mocks: Mocks): Record<string, Record<string, unknown>> {
  const usable = [...mocks].filter(([id]) => {
    const node = graph.nodes.get(id);
    return node !== undefined && isMockable(node);
  });
  return Object.fromEntries(usable.map(([id, outputs]) => [id, { ...outputs }]));
}

/** Outputs that the kind adds when it handles errors are made by the run itself. */
export function ownOutputs(node: CanvasNode, outputs: readonly Field[]): readonly Field[] {
  const way = numberOf(at(node.value, ["data", "inputs", "settingOnError", "processType"]));
  if (way !== 2 && way !== 3) return outputs;
  return outputs.filter((each) => each.name !== "isSuccess" && each.name !== "errorBody");
}
