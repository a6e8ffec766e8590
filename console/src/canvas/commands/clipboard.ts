import { canvasIn, isNode } from "../document/canvas-in";
import { insertValue, set } from "../document/edit";
import { at, items, numberOf, textOf } from "../document/read";
import { type Value, write } from "../document/tree";
import { ancestors, type Graph, graphOf, type Point, scopeLists } from "../model/graph";
import { isEnd } from "../model/kind";
import { addEdge, freshIds, freshTitle } from "./nodes";

const TYPE = "coterie/nodes";

type Clip = { readonly nodes: readonly Value[]; readonly edges: readonly Value[] };

export type Pasted = { readonly root: Value; readonly ids: readonly string[] };

/** The chosen nodes as a text for the clipboard, with the edges between them. */
export function copied(graph: Graph, ids: ReadonlySet<string>): string {
  const chosen = [...graph.nodes.values()].filter(
    (node) =>
      ids.has(node.id) &&
      !isEnd(node.type) &&
      !ancestors(graph, node.id).some((scope) => ids.has(scope)),
  );
  const inside = new Set(chosen.map((node) => node.id));
  const edges = graph.edges.filter((each) => inside.has(each.source) && inside.has(each.target));
  const nodeTexts = chosen.map((node) => write(node.value));
  const edgeTexts = edges.map((each) => write(at(graph.root, each.path) ?? graph.root));
  return `{"type":"${TYPE}","nodes":[${nodeTexts.join(",")}],"edges":[${edgeTexts.join(",")}]}`;
}

/** Reads nodes from a clipboard: ours, those of other studios, or a whole canvas. */
function clipOf(text: string): Clip | undefined {
  const holder = canvasIn(text);
  const nodes = items(at(holder, ["nodes"])).filter(
    (each) => isNode(each) && !isEnd(textOf(at(each, ["type"]))),
  );
  return nodes.length > 0 ? { nodes, edges: items(at(holder, ["edges"])) } : undefined;
}

/** Puts copied nodes into a scope with new ids, their middle at a place; nothing if it is no copy. */
export function pasted(root: Value, text: string, scope: string, to: Point): Pasted | undefined {
  const clip = clipOf(text);
  if (!clip) return undefined;
  const old = [...new Set(clip.nodes.flatMap(idsIn))];
  const fresh = freshIds(graphOf(root), old.length);
  const names = new Map(old.map((id, index) => [id, fresh[index] ?? id]));
  const middle = middleOf(clip.nodes);
  let edited = root;
  const ids: string[] = [];
  for (const node of clip.nodes) {
    const placed = moved(renumbered(node, names), { x: to.x - middle.x, y: to.y - middle.y });
    const title = freshTitle(graphOf(edited), textOf(at(placed, ["data", "nodeMeta", "title"])));
    const titled = set(placed, ["data", "nodeMeta", "title"], title);
    const { nodes } = scopeLists(graphOf(edited), scope);
    if (at(edited, nodes)?.kind !== "list") edited = set(edited, nodes, []);
    edited = insertValue(edited, nodes, Number.POSITIVE_INFINITY, titled);
    ids.push(textOf(at(placed, ["id"])));
  }
  for (const edge of clip.edges) {
    const source = names.get(textOf(at(edge, ["sourceNodeID"])));
    const target = names.get(textOf(at(edge, ["targetNodeID"])));
    if (!source || !target) continue;
    edited = addEdge(edited, scope, {
      source,
      sourcePort: textOf(at(edge, ["sourcePortID"])),
      target,
      targetPort: textOf(at(edge, ["targetPortID"])),
    });
  }
  return { root: edited, ids };
}

function idsIn(node: Value): string[] {
  return [textOf(at(node, ["id"])), ...items(at(node, ["blocks"])).flatMap(idsIn)];
}

const ID_NAMES = new Set(["id", "sourcenodeid", "targetnodeid", "blockid"]);

/** A node under new ids, with the references inside the copy following them. */
function renumbered(value: Value, names: ReadonlyMap<string, string>, key = ""): Value {
  switch (value.kind) {
    case "list":
      return {
        ...value,
        items: value.items.map((each) => ({ ...each, value: renumbered(each.value, names, key) })),
      };
    case "object":
      return {
        ...value,
        members: value.members.map((each) => ({
          ...each,
          value: renumbered(each.value, names, each.name.toLowerCase()),
        })),
      };
    case "leaf": {
      const text = textOf(value);
      const next = ID_NAMES.has(key) ? (names.get(text) ?? text) : retold(text, names);
      return next === text ? value : { kind: "leaf", raw: JSON.stringify(next) };
    }
  }
}

function retold(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/(\{\{ *block_output_)([^.\s}]+)/g, (all, ahead: string, id: string) => {
    const next = names.get(id);
    return next ? ahead + next : all;
  });
}

function pointAt(node: Value, name: string): Point | undefined {
  const place = at(node, ["meta", name]);
  return place && { x: numberOf(at(place, ["x"])) ?? 0, y: numberOf(at(place, ["y"])) ?? 0 };
}

function middleOf(nodes: readonly Value[]): Point {
  const places = nodes.map((each) => pointAt(each, "position") ?? { x: 0, y: 0 });
  const [xs, ys] = [places.map((each) => each.x), places.map((each) => each.y)];
  return {
    x: (Math.min(...xs) + Math.max(...xs)) / 2,
    y: (Math.min(...ys) + Math.max(...ys)) / 2,
  };
}

function moved(node: Value, by: Point): Value {
  return ["position", "canvasPosition"].reduce((edited, name) => {
    const place = pointAt(edited, name);
    if (!place) return edited;
    const to = { x: Math.round(place.x + by.x), y: Math.round(place.y + by.y) };
    return set(edited, ["meta", name], to);
  }, node);
}
