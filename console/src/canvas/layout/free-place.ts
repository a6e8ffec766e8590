import { ancestors, type Graph, type Point } from "../model/graph";
import { type Box, bounds, GRID, meet, placementOf } from "../model/place";

/** What a node keeps from another that it has made room for. */
const GAP = 40;
const WAYS: readonly Point[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
];

/**
 * How far a node has to go so that it covers no other: the least way that leads straight out, in
 * steps of the grid, and none where it covers nothing. Bodies of composites count as they are
 * drawn, but for those that the node is in: they grow with it.
 */
export function freeShift(graph: Graph, id: string): Point {
  const { cards, frames } = placementOf(graph);
  const node = cards.get(id);
  if (!node) return { x: 0, y: 0 };
  const around = new Set([id, ...ancestors(graph, id)]);
  const others: Box[] = [];
  for (const [of, { box }] of cards) if (of !== id) others.push(box);
  for (const [of, { box }] of frames) if (!around.has(of)) others.push(box);
  const frame = frames.get(id)?.box;
  const own = frame ? bounds([node.box, frame]) : node.box;
  if (!others.some((each) => meet(own, each))) return { x: 0, y: 0 };
  const [least = { x: 0, y: 0 }] = WAYS.map((way) => straightOut(own, others, way)).sort(
    (one, other) => Math.abs(one.x + one.y) - Math.abs(other.x + other.y),
  );
  return least;
}

/** How far it is in one direction to where a box keeps its distance to all others. */
function straightOut(own: Box, others: readonly Box[], way: Point): Point {
  let steps = 0;
  for (;;) {
    const at = { ...own, x: own.x + way.x * steps * GRID, y: own.y + way.y * steps * GRID };
    const met = others.filter((each) => meet(at, each, GAP));
    if (met.length === 0) return { x: at.x - own.x, y: at.y - own.y };
    const missing = met.map((each) => beyond(at, each, way) + GAP);
    steps += Math.ceil(Math.max(...missing) / GRID);
  }
}

/** How far a box is to go in a direction until it is past another. */
function beyond(own: Box, other: Box, { x, y }: Point): number {
  if (x > 0) return other.x + other.width - own.x;
  if (x < 0) return own.x + own.width - other.x;
  if (y > 0) return other.y + other.height - own.y;
  return own.y + own.height - other.y;
}
