import { keepItems, moveItem, removeItem, set } from "../document/edit";
import { at, textOf } from "../document/read";
import type { Path, Value } from "../document/tree";
import { graphOf, scopeLists } from "../model/graph";
import { portMeant, portsOf } from "../model/port";

/** Changes the order of ways out of a node; lines stay with the way that they were drawn from. */
export function moveBranch(root: Value, id: string, list: Path, from: number, to: number): Value {
  const node = graphOf(root).nodes.get(id);
  if (!node || from === to) return root;
  const moved = moveItem(root, [...node.path, ...list], from, to);
  return rewired(moved, root, id, (old) => {
    if (old === from) return to;
    if (from < to && old > from && old <= to) return old - 1;
    if (to < from && old >= to && old < from) return old + 1;
    return old;
  });
}

/** Takes a way out of a node away, with the lines that were drawn from it. */
export function removeBranch(root: Value, id: string, list: Path, index: number): Value {
  const node = graphOf(root).nodes.get(id);
  if (!node) return root;
  const gone = removeItem(root, [...node.path, ...list], index);
  return rewired(gone, root, id, (old) =>
    old === index ? undefined : old > index ? old - 1 : old,
  );
}

/** Names the ports of lines as the ways are numbered after a change. */
function rewired(
  root: Value,
  before: Value,
  id: string,
  placeOf: (old: number) => number | undefined,
): Value {
  const graph = graphOf(before);
  const node = graph.nodes.get(id);
  const now = graphOf(root).nodes.get(id);
  if (!node || !now) return root;
  const ways = portsOf(node).outputs.filter((each) => each.kind === "branch");
  const next = portsOf(now).outputs.filter((each) => each.kind === "branch");
  const { edges } = scopeLists(graph, node.scope);
  const doomed = new Set<Value>();
  let edited = root;
  for (const edge of graph.edges) {
    if (edge.source !== id || edge.scope !== node.scope) continue;
    const way = ways.find((each) => each.id === portMeant(node, edge.sourcePort));
    if (!way) continue;
    const place = placeOf(way.index);
    const port = place === undefined ? undefined : next.find((each) => each.index === place)?.id;
    if (port === undefined) {
      const value = at(edited, edge.path);
      if (value) doomed.add(value);
    } else if (port !== way.id) {
      edited = set(edited, [...edge.path, "sourcePortID"], port);
    }
  }
  if (doomed.size === 0) return edited;
  return keepItems(
    edited,
    edges,
    (value) => !doomed.has(value) || textOf(at(value, ["sourceNodeID"])) !== id,
  );
}
