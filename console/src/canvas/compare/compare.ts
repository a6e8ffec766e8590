import { insertValue, set } from "../document/edit";
import { at } from "../document/read";
import type { Value } from "../document/tree";
import { type Edge, type Graph, graphOf, type Placed, scopeLists } from "../model/graph";
import { isComposite, isEnd } from "../model/kind";
import { placementOf } from "../model/place";
import { portMeant, portsOf } from "../model/port";
import { type FieldChange, fieldChanges, type Naming } from "./fields";

/** What became of a node; `connected` is one whose lines alone are others. */
export type NodeState = "added" | "removed" | "changed" | "moved" | "connected";
export type EdgeState = "added" | "removed";

export type NodeChange = {
  /** The node in the canvas that shows both. */
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly state: NodeState;
  readonly fields: readonly FieldChange[];
};

export type Comparison = {
  /** Both canvases in one: the newer one, with what it lost. */
  readonly root: Value;
  readonly changes: readonly NodeChange[];
  readonly nodes: ReadonlyMap<string, NodeState>;
  readonly edges: ReadonlyMap<string, EdgeState>;
};

/** Lays two canvases over each other and tells what differs, node by node. */
export function compared(old: Value, next: Value): Comparison {
  const [before, after] = [graphOf(old), graphOf(next)];
  const pairs = pairsOf(before, after);
  const ghosts = ghostIds(before, after, pairs);
  const newIdOf = (id: string) => pairs.get(id) ?? ghosts.get(id) ?? id;
  const namings = {
    old: { idOf: newIdOf, titleOf: titleOf(before) },
    next: { idOf: (id: string) => id, titleOf: titleOf(after) },
  };
  const keyOf = (edge: Edge, graph: Graph, idOf: (id: string) => string) => {
    const source = graph.nodes.get(edge.source);
    const port = source ? portMeant(source, edge.sourcePort) : edge.sourcePort;
    return [idOf(edge.scope), idOf(edge.source), port, idOf(edge.target)].join("|");
  };
  const oldEdges = new Map(before.edges.map((each) => [keyOf(each, before, newIdOf), each]));
  const newEdges = new Map(
    after.edges.map((each) => [keyOf(each, after, namings.next.idOf), each]),
  );
  const lost = [...oldEdges].filter(([key]) => !newEdges.has(key)).map(([, each]) => each);
  const gained = [...newEdges].filter(([key]) => !oldEdges.has(key)).map(([, each]) => each);

  const root = withGhosts(next, before, { ghosts, newIdOf, lost });
  const changes = new Map<string, NodeChange>();
  for (const [oldId, id] of pairs) {
    const [one, other] = [before.nodes.get(oldId), after.nodes.get(id)];
    if (!one || !other) continue;
    const fields = [
      ...fieldChanges(one.value, other.value, namings),
      ...connections(before, after, { oldId, id, newIdOf, lost, gained }),
    ];
    const state = stateOf(one, other, fields, newIdOf);
    if (state) changes.set(id, { id, type: other.type, title: other.title, state, fields });
  }
  const known = new Set(pairs.values());
  for (const [id, { type, title }] of after.nodes) {
    if (!known.has(id)) {
      changes.set(id, { id, type, title, state: "added", fields: [] });
    }
  }
  for (const [oldId, id] of ghosts) {
    const gone = before.nodes.get(oldId);
    if (gone) {
      changes.set(id, { id, type: gone.type, title: gone.title, state: "removed", fields: [] });
    }
  }
  const shown = graphOf(root);
  const lostKeys = new Set(lost.map((each) => keyOf(each, before, newIdOf)));
  return {
    root,
    changes: inReadingOrder(shown, changes),
    nodes: new Map([...changes].map(([id, { state }]) => [id, state])),
    edges: new Map([
      ...gained.map((each) => [each.key, "added"] as const),
      ...shown.edges
        .filter((each) => lostKeys.has(keyOf(each, shown, namings.next.idOf)))
        .map((each) => [each.key, "removed"] as const),
    ]),
  };
}

/** Nodes of the older canvas with those that they are in the newer one. */
function pairsOf(before: Graph, after: Graph): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const [id, { type }] of before.nodes)
    if (after.nodes.get(id)?.type === type) pairs.set(id, id);
  const isImportedAnew = [...pairs.keys()].every((id) => isEnd(before.nodes.get(id)?.type ?? ""));
  if (!isImportedAnew) return pairs;
  const taken = new Set(pairs.values());
  for (const [id, node] of before.nodes) {
    if (pairs.has(id)) continue;
    const twin = [...after.nodes.values()].find(
      (each) => !taken.has(each.id) && each.type === node.type && each.title === node.title,
    );
    if (!twin) continue;
    pairs.set(id, twin.id);
    taken.add(twin.id);
  }
  return pairs;
}

/** Names for what is gone; one that means something else now gets another. */
function ghostIds(
  before: Graph,
  after: Graph,
  pairs: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const id of before.nodes.keys()) {
    if (!pairs.has(id)) ids.set(id, after.nodes.has(id) ? `${id}-before` : id);
  }
  return ids;
}

function titleOf(graph: Graph): Naming["titleOf"] {
  return (id) => graph.nodes.get(id)?.title || id;
}

function stateOf(
  one: Placed,
  other: Placed,
  fields: readonly FieldChange[],
  newIdOf: (id: string) => string,
): NodeState | undefined {
  if (fields.some(({ section }) => section !== "connections")) return "changed";
  if (newIdOf(one.scope) !== other.scope) return "changed";
  if (fields.length > 0) return "connected";
  const isMoved =
    one.x !== other.x ||
    one.y !== other.y ||
    one.body?.x !== other.body?.x ||
    one.body?.y !== other.body?.y;
  return isMoved ? "moved" : undefined;
}

type Lines = {
  readonly oldId: string;
  readonly id: string;
  readonly newIdOf: (id: string) => string;
  readonly lost: readonly Edge[];
  readonly gained: readonly Edge[];
};

/** Where the lines of a node led to and lead to, if that differs. */
function connections(before: Graph, after: Graph, lines: Lines): readonly FieldChange[] {
  const ports = new Map<string, { names: readonly string[]; left: string[]; right: string[] }>();
  const collect = (side: "left" | "right", graph: Graph, edges: readonly Edge[], id: string) => {
    const source = graph.nodes.get(id);
    for (const edge of edges) {
      if (edge.source !== id || !source) continue;
      const port = portMeant(source, edge.sourcePort);
      const known = ports.get(port) ?? { names: portNames(source, port), left: [], right: [] };
      known[side].push(titleOf(graph)(edge.target));
      ports.set(port, known);
    }
  };
  collect("left", before, lines.lost, lines.oldId);
  collect("right", after, lines.gained, lines.id);
  return [...ports.values()].map(({ names, left, right }) => ({
    section: "connections",
    names,
    left: left.join("\n"),
    right: right.join("\n"),
  }));
}

/** What a way out of a node is called; the only one has no name. */
function portNames(node: Placed, id: string): readonly string[] {
  const port = portsOf(node).outputs.find((each) => each.id === id);
  if (!port || port.kind === "plain") return [];
  return port.kind === "branch" ? ["branch", String(port.index + 1)] : [port.kind];
}

type Gone = {
  readonly ghosts: ReadonlyMap<string, string>;
  readonly newIdOf: (id: string) => string;
  readonly lost: readonly Edge[];
};

/** The newer canvas with the nodes and lines that it lost. */
function withGhosts(next: Value, before: Graph, { ghosts, newIdOf, lost }: Gone): Value {
  let root = next;
  const put = (path: readonly (string | number)[], value: Value): void => {
    if (at(root, path)?.kind !== "list") root = set(root, path, []);
    root = insertValue(root, path, Number.POSITIVE_INFINITY, value);
  };
  for (const [oldId, id] of ghosts) {
    const gone = before.nodes.get(oldId);
    if (!gone) continue;
    const emptied = isComposite(gone.type)
      ? ["blocks", "edges"].reduce<Value>(
          (value, name) => (at(value, [name]) ? set(value, [name], []) : value),
          gone.value,
        )
      : gone.value;
    put(scopeLists(graphOf(root), newIdOf(gone.scope)).nodes, set(emptied, ["id"], id));
  }
  for (const edge of lost) {
    const value = at(before.root, edge.path);
    if (!value) continue;
    const named = set(
      set(value, ["sourceNodeID"], newIdOf(edge.source)),
      ["targetNodeID"],
      newIdOf(edge.target),
    );
    put(scopeLists(graphOf(root), newIdOf(edge.scope)).edges, named);
  }
  return root;
}

/** From left to right and from top to bottom, what is inside of a composite behind it. */
function inReadingOrder(
  graph: Graph,
  changes: ReadonlyMap<string, NodeChange>,
): readonly NodeChange[] {
  const { cards } = placementOf(graph);
  const box = (id: string) => cards.get(id)?.box ?? { x: 0, y: 0 };
  return [...changes.values()].toSorted((one, other) => {
    const [a, b] = [box(one.id), box(other.id)];
    return a.x - b.x || a.y - b.y;
  });
}
