import { at, items, numberOf, textOf } from "../document/read";
import type { ObjectValue, Path, Value } from "../document/tree";
import { ENTRY, EXIT, isComposite } from "./kind";

/** A node as the text has it. */
export type CanvasNode = {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly x: number;
  readonly y: number;
  /** Where the body of a composite begins; nothing where the text does not say. */
  readonly body: Point | undefined;
  readonly value: ObjectValue;
};

export type Point = { readonly x: number; readonly y: number };

export type Placed = CanvasNode & {
  readonly path: Path;
  /** The composite that it lies in; empty at the top. */
  readonly scope: string;
};

export type Edge = {
  readonly key: string;
  readonly path: Path;
  readonly scope: string;
  readonly source: string;
  readonly sourcePort: string;
  readonly target: string;
  readonly targetPort: string;
};

export type Graph = {
  readonly root: Value;
  readonly nodes: ReadonlyMap<string, Placed>;
  readonly edges: readonly Edge[];
};

const nodes = new WeakMap<Value, CanvasNode>();

/** A node of the text; read once for each state that it has been in. */
function nodeOf(value: ObjectValue): CanvasNode {
  const known = nodes.get(value);
  if (known) return known;
  const body = at(value, ["meta", "canvasPosition"]);
  const type = textOf(at(value, ["type"]));
  const made: CanvasNode = {
    id: textOf(at(value, ["id"])),
    type,
    title: textOf(at(value, ["data", "nodeMeta", "title"])),
    description: textOf(at(value, ["data", "nodeMeta", "description"])),
    x: numberOf(at(value, ["meta", "position", "x"])) ?? 0,
    y: numberOf(at(value, ["meta", "position", "y"])) ?? 0,
    body: body && {
      x: numberOf(at(body, ["x"])) ?? 0,
      y: numberOf(at(body, ["y"])) ?? 0,
    },
    value,
  };
  nodes.set(value, made);
  return made;
}

const graphs = new WeakMap<Value, Graph>();
const placed = new WeakMap<Value, Placed>();

/** A node with its place in the text; the same object as long as neither changes. */
function placedAt(node: CanvasNode, path: Path, scope: string): Placed {
  const known = placed.get(node.value);
  if (known?.scope === scope && isSamePath(known.path, path)) return known;
  const made = { ...node, path, scope };
  placed.set(node.value, made);
  return made;
}

function isSamePath(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

type EdgeList = { readonly path: Path; readonly scope: string; readonly edges: readonly Edge[] };

const edgeLists = new WeakMap<Value, EdgeList>();
const NO_EDGES: readonly Edge[] = [];

/** The edges of a scope; the same list as long as nobody changes one of them. */
function edgesAt(list: Value | undefined, path: Path, scope: string): readonly Edge[] {
  if (!list) return NO_EDGES;
  const known = edgeLists.get(list);
  if (known?.scope === scope && isSamePath(known.path, path)) return known.edges;
  const edges = items(list).map((value, index): Edge => {
    const source = textOf(at(value, ["sourceNodeID"]));
    const sourcePort = textOf(at(value, ["sourcePortID"]));
    const target = textOf(at(value, ["targetNodeID"]));
    const targetPort = textOf(at(value, ["targetPortID"]));
    const key = [scope, source, sourcePort, target, targetPort].join("|");
    return { key, path: [...path, index], scope, source, sourcePort, target, targetPort };
  });
  edgeLists.set(list, { path, scope, edges });
  return edges;
}

type Joined = { readonly parts: readonly (readonly Edge[])[]; readonly all: readonly Edge[] };

const joinedEdges = new WeakMap<readonly Edge[], Joined>();

/** The lists of several scopes as one; the same as before where all of them are. */
function joined(parts: readonly (readonly Edge[])[]): readonly Edge[] {
  const [first, ...others] = parts.filter((each) => each.length > 0);
  if (!first) return NO_EDGES;
  if (others.length === 0) return first;
  const known = joinedEdges.get(first);
  const isKnown =
    known?.parts.length === others.length && others.every((each, at) => each === known.parts[at]);
  if (isKnown) return known.all;
  const all = [first, ...others].flat();
  joinedEdges.set(first, { parts: others, all });
  return all;
}

/**
 * Nodes and edges of a canvas; of several nodes with one id the first counts. What an edit did not
 * touch is the same object in both graphs, so that whoever draws them has to look at the rest only.
 */
export function graphOf(root: Value): Graph {
  const known = graphs.get(root);
  if (known) return known;
  const found = new Map<string, Placed>();
  const edges: (readonly Edge[])[] = [];
  const read = (owner: Value, path: Path, scope: string, nodesName: string): void => {
    items(at(owner, [nodesName])).forEach((value, index) => {
      if (value.kind !== "object") return;
      const node = nodeOf(value);
      if (!node.id || found.has(node.id)) return;
      const here = [...path, nodesName, index];
      found.set(node.id, placedAt(node, here, scope));
      if (isComposite(node.type)) read(value, here, node.id, "blocks");
    });
    edges.push(edgesAt(at(owner, ["edges"]), [...path, "edges"], scope));
  };
  read(root, [], "", "nodes");
  const made = { root, nodes: found, edges: joined(edges) };
  graphs.set(root, made);
  return made;
}

/** The list that holds the nodes of a scope, and the one that holds its edges. */
export function scopeLists(graph: Graph, scope: string): { nodes: Path; edges: Path } {
  if (!scope) return { nodes: ["nodes"], edges: ["edges"] };
  const path = graph.nodes.get(scope)?.path ?? [];
  return { nodes: [...path, "blocks"], edges: [...path, "edges"] };
}

export function entryOf(graph: Graph): Placed | undefined {
  return [...graph.nodes.values()].find((each) => each.type === ENTRY && !each.scope);
}

export function exitOf(graph: Graph): Placed | undefined {
  return [...graph.nodes.values()].find((each) => each.type === EXIT && !each.scope);
}

/** The composites around a node, the nearest first. */
export function ancestors(graph: Graph, id: string): readonly string[] {
  const found: string[] = [];
  for (let scope = graph.nodes.get(id)?.scope; scope; scope = graph.nodes.get(scope)?.scope) {
    found.push(scope);
  }
  return found;
}

/** What a node can be reached from inside its scope, the nearest first. */
export function before(graph: Graph, id: string): readonly string[] {
  const scope = graph.nodes.get(id)?.scope ?? "";
  const sources = new Map<string, string[]>();
  for (const edge of graph.edges) {
    if (edge.scope !== scope) continue;
    const known = sources.get(edge.target);
    if (known) known.push(edge.source);
    else sources.set(edge.target, [edge.source]);
  }
  const seen = new Set<string>();
  let level = sources.get(id) ?? [];
  while (level.length > 0) {
    const next: string[] = [];
    for (const each of level) {
      if (seen.has(each) || each === id || each === scope) continue;
      seen.add(each);
      next.push(...(sources.get(each) ?? []));
    }
    level = next;
  }
  return [...seen];
}
