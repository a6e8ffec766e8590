import type { Diagnostic } from "../../api/schema";
import { removeItem } from "../document/edit";
import { pathOf } from "../document/pointer";
import { at, items } from "../document/read";
import type { Value } from "../document/tree";
import { graphOf } from "../model/graph";
import { isEnd } from "../model/kind";
import { removeEdges, removeNodes } from "./nodes";

/** What mends a finding without a decision of anybody. */
export type Fix = {
  readonly kind: "removeEdge" | "removeNode" | "removeInput";
  readonly apply: (root: Value) => Value;
};

/** The mending of a finding in a canvas; nothing where somebody has to decide. */
export function fixOf(root: Value, problem: Diagnostic): Fix | undefined {
  return FIXES[problem.code]?.(root, problem);
}

type Finder = (root: Value, problem: Diagnostic) => Fix | undefined;

const FIXES: Readonly<Record<string, Finder>> = {
  WF105: withoutEdge,
  WF107: withoutNode,
  WF109: withoutEdge,
  WF116: withoutEdge,
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

/** An input that nothing reads. */
function withoutInput(root: Value, { json_pointer: pointer = "" }: Diagnostic): Fix | undefined {
  const place = pathOf(pointer);
  const end = place.lastIndexOf("inputParameters") + 1;
  const [list, index] = [place.slice(0, end), place[end]];
  if (typeof index !== "number" || !items(at(root, list))[index]) return undefined;
  return { kind: "removeInput", apply: (now) => removeItem(now, list, index) };
}
