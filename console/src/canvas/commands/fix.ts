import type { Diagnostic } from "../../api/schema";
import { insert, removeItem, set } from "../document/edit";
import { pathOf } from "../document/pointer";
import { at, items, textOf } from "../document/read";
import type { Value } from "../document/tree";
import { NO_VALUE, unsetInput } from "../forms/input";
import { field, isInputName } from "../model/field";
import { exitOf, graphOf } from "../model/graph";
import { isEnd } from "../model/kind";
import { inputsOf } from "../model/output";
import { portMeant, portsOf } from "../model/port";
import { referenceOf, templateNames } from "../model/reference";
import { addEdge, frameEdge, removeEdges, removeNodes } from "./nodes";

/** What mends a finding without a decision of anybody. */
export type Fix = {
  readonly kind:
    | "removeEdge"
    | "removeNode"
    | "removeInput"
    | "clearSource"
    | "addInput"
    | "connectEnd";
  readonly apply: (root: Value) => Value;
};

/** The mending of a finding in a canvas; nothing where somebody has to decide. */
export function fixOf(root: Value, problem: Diagnostic): Fix | undefined {
  return FIXES[problem.code]?.(root, problem);
}

type Finder = (root: Value, problem: Diagnostic) => Fix | undefined;

const FIXES: Readonly<Record<string, Finder>> = {
  WF105: withoutEdge,
  WF106: toEnd,
  WF107: withoutNode,
  WF108: toEnd,
  WF109: withoutEdge,
  WF116: withoutEdge,
  WF201: withoutSource,
  WF207: withInput,
  WF208: withoutInput,
};

/** An edge that cannot stay: an end of it is gone, or is none that it may have. */
function withoutEdge(root: Value, { edge }: Diagnostic): Fix | undefined {
  if (!edge) return undefined;
  const keys = graphOf(root).edges.filter(
    (each) =>
      each.source === edge.source &&
      each.target === edge.target &&
      each.sourcePort === (edge.port ?? ""),
  );
  if (keys.length === 0) return undefined;
  const doomed = new Set(keys.map((each) => each.key));
  return { kind: "removeEdge", apply: (now) => removeEdges(now, doomed) };
}

/** A node that no run reaches. */
function withoutNode(root: Value, { node_id: id = "" }: Diagnostic): Fix | undefined {
  const node = graphOf(root).nodes.get(id);
  if (!node || isEnd(node.type)) return undefined;
  return { kind: "removeNode", apply: (now) => removeNodes(now, new Set([id]), false) };
}

/** A way that leads nowhere: it leads to the end of the workflow, or of the iteration. */
function toEnd(root: Value, { node_id: id, port = "" }: Diagnostic): Fix | undefined {
  const graph = graphOf(root);
  const node = graph.nodes.get(id);
  const exit = exitOf(graph);
  const way = node && portsOf(node).outputs.find((each) => each.id === portMeant(node, port));
  if (!node || !way) return undefined;
  const isTaken = graph.edges.some(
    (each) => each.source === id && portMeant(node, each.sourcePort) === way.id,
  );
  if (isTaken || (!node.scope && !exit)) return undefined;
  const end = node.scope
    ? frameEdge(graph, node.scope, id, false)
    : { source: id, sourcePort: "", target: exit?.id ?? "", targetPort: "" };
  return {
    kind: "connectEnd",
    apply: (now) => addEdge(now, node.scope, { ...end, sourcePort: way.id }),
  };
}

/** An input whose source is gone: another one can be chosen then. */
function withoutSource(root: Value, { json_pointer: pointer }: Diagnostic): Fix | undefined {
  const path = pathOf(pointer);
  if (!referenceOf(at(root, path))) return undefined;
  return { kind: "clearSource", apply: (now) => set(now, [...path, "value"], NO_VALUE) };
}

/** A text that names an input which there is none of. */
function withInput(root: Value, problem: Diagnostic): Fix | undefined {
  const { node_id: id, json_pointer: pointer, message } = problem;
  const node = graphOf(root).nodes.get(id);
  const known = new Set(node && inputsOf(node).map((each) => each.name));
  const name = templateNames(textOf(at(root, pathOf(pointer)))).find(
    (each) => !known.has(each) && message.includes(`'${each}'`) && isInputName(each),
  );
  if (!node || !name) return undefined;
  const path = [...node.path, "data", "inputs", "inputParameters"];
  const input = { name, input: unsetInput(field("", "string")) };
  return {
    kind: "addInput",
    apply: (now) =>
      at(now, path)?.kind === "list"
        ? insert(now, path, Number.POSITIVE_INFINITY, input)
        : set(now, path, [input]),
  };
}

/** An input that nothing reads. */
function withoutInput(root: Value, { json_pointer: pointer = "" }: Diagnostic): Fix | undefined {
  const place = pathOf(pointer);
  const end = place.lastIndexOf("inputParameters") + 1;
  const [list, index] = [place.slice(0, end), place[end]];
  if (typeof index !== "number" || !items(at(root, list))[index]) return undefined;
  return { kind: "removeInput", apply: (now) => removeItem(now, list, index) };
}
