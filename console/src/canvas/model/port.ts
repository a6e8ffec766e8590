import { at, items, numberOf, textOf } from "../document/read";
import type { CanvasNode, Edge, Graph, Placed } from "./graph";
import {
  BATCH,
  BREAK,
  CONTINUE,
  ENTRY,
  EXIT,
  INTENT,
  LOOP,
  NOTE,
  QUESTION,
  SELECTOR,
} from "./kind";

/** Where edges leave a node. `branch`: a way by number, `other`: none of them, `error`: failure. */
export type Port = {
  readonly id: string;
  readonly kind: "plain" | "branch" | "other" | "error";
  readonly index: number;
};

export type Ports = { readonly hasInput: boolean; readonly outputs: readonly Port[] };

const PLAIN: Port = { id: "", kind: "plain", index: 0 };
const ERROR_PORT = "branch_error";

/** Ports inside a composite: where an iteration starts and ends. */
export function innerPorts(type: string): { start: string; end: string } {
  const name = type === LOOP ? "loop" : "batch";
  return { start: `${name}-function-inline-output`, end: `${name}-function-inline-input` };
}

/** The ports that a node has by its kind and settings. */
export function portsOf(node: CanvasNode): Ports {
  const outputs = [...ownPorts(node)];
  const fails = numberOf(at(node.value, ["data", "inputs", "settingOnError", "processType"])) === 3;
  if (fails && outputs.length > 0) {
    if (outputs.length === 1 && outputs[0]?.id === "") outputs[0] = { ...PLAIN, id: "default" };
    outputs.push({ id: ERROR_PORT, kind: "error", index: 0 });
  }
  return { hasInput: node.type !== ENTRY && node.type !== NOTE, outputs };
}

/**
 * Where what is added behind a node leaves it: the first way that leads nowhere yet, else the
 * first. Nobody means the way of failures.
 */
export function portToFollow(graph: Graph, node: Placed): Port | undefined {
  const { outputs } = portsOf(node);
  const taken = new Set(
    graph.edges.flatMap((each) =>
      each.source === node.id && each.scope === node.scope ? [each.sourcePort] : [],
    ),
  );
  return outputs.find(({ id, kind }) => kind !== "error" && !taken.has(id)) ?? outputs[0];
}

function ownPorts(node: CanvasNode): readonly Port[] {
  const { value, type } = node;
  const inputs = at(value, ["data", "inputs"]);
  switch (type) {
    case EXIT:
    case NOTE:
    case BREAK:
    case CONTINUE:
      return [];
    case SELECTOR: {
      const count = items(at(inputs, ["branches"])).length;
      const named = (index: number) => (index === 0 ? "true" : `true_${index}`);
      return branches(count, named, "false");
    }
    case INTENT:
      return branches(items(at(inputs, ["intents"])).length, branchName, "default");
    case QUESTION: {
      if (textOf(at(inputs, ["answer_type"])) !== "option") return [PLAIN];
      const isDynamic = textOf(at(inputs, ["option_type"])) === "dynamic";
      const count = isDynamic ? 1 : items(at(inputs, ["options"])).length;
      return branches(count, branchName, "default");
    }
    case LOOP:
      return [{ ...PLAIN, id: "loop-output" }];
    case BATCH:
      return [{ ...PLAIN, id: "batch-output" }];
    default:
      return [PLAIN];
  }
}

function branchName(index: number): string {
  return `branch_${index}`;
}

function branches(count: number, name: (index: number) => string, other: string): Port[] {
  const ways = Array.from({ length: count }, (_, index) => {
    const port: Port = { id: name(index), kind: "branch", index };
    return port;
  });
  return [...ways, { id: other, kind: "other", index: count }];
}

/** The port that an edge or a run means: there are several names for some of them. */
export function portMeant(node: CanvasNode, port: string): string {
  const { outputs } = portsOf(node);
  if (outputs.some((each) => each.id === port)) return port;
  if (port === "error") return ERROR_PORT;
  if (node.type === SELECTOR) {
    if (port === "default") return "false";
    const index = /^branch_(\d+)$/.exec(port)?.[1];
    if (index !== undefined) return index === "0" ? "true" : `true_${Number(index)}`;
  }
  if (port === "" || port === "default") {
    return outputs.find((each) => each.kind === "plain")?.id ?? "";
  }
  return port;
}

/** Ports with those that only edges know: of unknown kinds, or left behind by a change. */
export function portsWithEdges(node: CanvasNode, edges: readonly Edge[]): Ports {
  const { hasInput, outputs } = portsOf(node);
  const { start } = innerPorts(node.type);
  const more = new Set<string>();
  for (const edge of edges) {
    if (edge.source !== node.id || edge.sourcePort === start) continue;
    const port = portMeant(node, edge.sourcePort);
    if (!outputs.some((each) => each.id === port)) more.add(port);
  }
  const extra = [...more].map((id): Port => ({ id, kind: "plain", index: 0 }));
  return { hasInput, outputs: [...outputs, ...extra] };
}
