import { insert, insertValue, keepItems, removeMember, set } from "../document/edit";
import { parse } from "../document/parse";
import { at, isObject, type Json, type JsonObject, textOf } from "../document/read";
import type { Path, Value } from "../document/tree";
import type { NodePlace } from "../layout/canvas-layout";
import { ancestors, type Edge, type Graph, graphOf, type Point, scopeLists } from "../model/graph";
import { isComposite, isEnd } from "../model/kind";
import { innerPorts } from "../model/port";

export type NewEdge = {
  readonly source: string;
  readonly sourcePort: string;
  readonly target: string;
  readonly targetPort: string;
};

/** Ids of the format: six digits, none of them taken. */
export function freshIds(graph: Graph, count: number): readonly string[] {
  const ids: string[] = [];
  let next = 100002;
  for (const id of graph.nodes.keys()) {
    const number = /^\d{6}$/.test(id) ? Number(id) : 0;
    if (number < 900000) next = Math.max(next, number + 1);
  }
  while (ids.length < count) {
    if (!graph.nodes.has(String(next))) ids.push(String(next));
    next += 1;
  }
  return ids;
}

/** A title that no other node has: with a number behind it where need be. */
export function freshTitle(graph: Graph, wanted: string, except = ""): string {
  const taken = new Set(
    [...graph.nodes.values()].filter((each) => each.id !== except).map((each) => each.title),
  );
  if (wanted && !taken.has(wanted)) return wanted;
  const stem = wanted.replace(/[ _]\d+$/, "");
  for (let number = 2; ; number += 1) {
    const title = `${stem} ${number}`;
    if (!taken.has(title)) return title;
  }
}

/** Sets something of a node; the path leads from the node. */
export function setInNode(root: Value, id: string, path: Path, json: Json | undefined): Value {
  const node = graphOf(root).nodes.get(id);
  if (!node) return root;
  const whole = [...node.path, ...path];
  return json === undefined ? removeMember(root, whole) : set(root, whole, json);
}

/** Puts a node into a scope; the list is made where the text has none. */
export function addNode(root: Value, scope: string, node: JsonObject): Value {
  const { nodes } = scopeLists(graphOf(root), scope);
  const list = at(root, nodes);
  if (list?.kind !== "list") return set(root, nodes, [node]);
  return insert(root, nodes, list.items.length, node);
}

export function addEdge(root: Value, scope: string, edge: NewEdge): Value {
  const { edges } = scopeLists(graphOf(root), scope);
  const json: JsonObject = {
    sourceNodeID: edge.source,
    targetNodeID: edge.target,
    ...(edge.sourcePort && { sourcePortID: edge.sourcePort }),
    ...(edge.targetPort && { targetPortID: edge.targetPort }),
  };
  const list = at(root, edges);
  if (list?.kind !== "list") return set(root, edges, [json]);
  return insert(root, edges, list.items.length, json);
}

export function removeEdges(root: Value, keys: ReadonlySet<string>): Value {
  const graph = graphOf(root);
  const doomed = graph.edges.filter((each) => keys.has(each.key));
  const values = new Set(doomed.map((each) => at(root, each.path)));
  return [...new Set(doomed.map((each) => each.scope))].reduce(
    (edited, scope) =>
      keepItems(edited, scopeLists(graphOf(edited), scope).edges, (value) => !values.has(value)),
    root,
  );
}

/** Takes nodes out with what is in them and their edges; a chain can close behind them. */
export function removeNodes(root: Value, ids: ReadonlySet<string>, isHealed: boolean): Value {
  const graph = graphOf(root);
  const doomed = new Set([...ids].filter((id) => !isEnd(graph.nodes.get(id)?.type ?? "1")));
  const outermost = [...doomed].filter(
    (id) => !ancestors(graph, id).some((scope) => doomed.has(scope)),
  );
  let edited = root;
  for (const id of outermost) {
    const node = graph.nodes.get(id);
    if (!node) continue;
    const now = graphOf(edited);
    const own = now.edges.filter(
      (each) => each.scope === node.scope && (each.source === id || each.target === id),
    );
    const bridge = isHealed ? bridged(own, id) : undefined;
    edited = removeEdges(edited, new Set(own.map((each) => each.key)));
    const { nodes } = scopeLists(graphOf(edited), node.scope);
    edited = keepItems(edited, nodes, (value) => textOf(at(value, ["id"])) !== id);
    if (bridge && !now.edges.some((each) => isSameEdge(each, bridge, node.scope))) {
      edited = addEdge(edited, node.scope, bridge);
    }
  }
  return edited;
}

/** The edge that closes a chain where a node with one way in and one way out was. */
function bridged(edges: readonly Edge[], id: string): NewEdge | undefined {
  const [into, out] = [edges.filter((e) => e.target === id), edges.filter((e) => e.source === id)];
  const [first, last] = [into[0], out[0]];
  if (!first || !last || into.length > 1 || out.length > 1 || first.source === last.target) {
    return undefined;
  }
  return {
    source: first.source,
    sourcePort: first.sourcePort,
    target: last.target,
    targetPort: last.targetPort,
  };
}

function isSameEdge(one: Edge, other: NewEdge, scope: string): boolean {
  return (
    one.scope === scope &&
    one.source === other.source &&
    one.sourcePort === other.sourcePort &&
    one.target === other.target &&
    one.targetPort === other.targetPort
  );
}

/** Moves nodes; positions as the text has them. No move changes where a node stands in it. */
export function moveNodes(root: Value, places: ReadonlyMap<string, NodePlace>): Value {
  const { nodes } = graphOf(root);
  let edited = root;
  for (const [id, { position, body }] of places) {
    const path = nodes.get(id)?.path;
    if (!path) continue;
    edited = movePoint(edited, [...path, "meta", "position"], position);
    if (body) edited = movePoint(edited, [...path, "meta", "canvasPosition"], body);
  }
  return edited;
}

function movePoint(root: Value, path: Path, to: Point): Value {
  const rounded = { x: round(to.x), y: round(to.y) };
  if (at(root, path)?.kind !== "object") return set(root, path, rounded);
  return set(set(root, [...path, "x"], rounded.x), [...path, "y"], rounded.y);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Puts a node between the two ends of an edge. */
export function splitEdge(root: Value, key: string, id: string, port: string): Value {
  const edge = graphOf(root).edges.find((each) => each.key === key);
  if (!edge) return root;
  const cut = removeEdges(root, new Set([key]));
  const { source, sourcePort, target, targetPort } = edge;
  const into = addEdge(cut, edge.scope, { source, sourcePort, target: id, targetPort: "" });
  return addEdge(into, edge.scope, { source: id, sourcePort: port, target, targetPort });
}

/** Replaces a node by another text of it; raises `BrokenText`. Its id stays. */
export function replaceNode(root: Value, id: string, text: string): Value {
  const node = graphOf(root).nodes.get(id);
  const { value } = parse(text);
  if (!node || value.kind !== "object") return root;
  const index = node.path.at(-1);
  const list = node.path.slice(0, -1);
  if (typeof index !== "number") return root;
  const kept = set(value, ["id"], id);
  const gone = keepItems(root, list, (each) => textOf(at(each, ["id"])) !== id);
  return insertValue(gone, list, index, kept);
}

/** A node in the full form of the format. */
export function newNode(made: {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly at: Point;
  readonly data: JsonObject;
}): JsonObject {
  const { nodeMeta, ...data } = made.data;
  const meta = isObject(nodeMeta) ? nodeMeta : {};
  const base: JsonObject = {
    id: made.id,
    type: made.type,
    meta: {
      position: { x: round(made.at.x), y: round(made.at.y) },
      ...(isComposite(made.type) && {
        canvasPosition: { x: round(made.at.x), y: round(made.at.y + 260) },
      }),
    },
    data: {
      nodeMeta: { description: "", icon: "", subTitle: made.title, ...meta, title: made.title },
      ...data,
    },
  };
  return isComposite(made.type) ? { ...base, blocks: [], edges: [] } : base;
}

/** The ports between the frame of a composite and a node in it. */
export function frameEdge(graph: Graph, composite: string, id: string, isStart: boolean): NewEdge {
  const { start, end } = innerPorts(graph.nodes.get(composite)?.type ?? "");
  return isStart
    ? { source: composite, sourcePort: start, target: id, targetPort: "" }
    : { source: id, sourcePort: "", target: composite, targetPort: end };
}
