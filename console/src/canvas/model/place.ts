import { type Card, cardOf } from "./card";
import type { Edge, Graph, Placed, Point } from "./graph";
import { isComposite } from "./kind";

export type Box = Point & { readonly width: number; readonly height: number };

export type PlacedCard = { readonly node: Placed; readonly card: Card; readonly box: Box };

/** The body of a composite: around what is in it, or where the first node is to go. */
type Frame = {
  readonly id: string;
  readonly box: Box;
  readonly origin: Point;
  readonly isEmpty: boolean;
};

export type Placement = {
  readonly cards: ReadonlyMap<string, PlacedCard>;
  readonly frames: ReadonlyMap<string, Frame>;
};

/** What places of nodes are multiples of. */
export const GRID = 10;

export const FRAME_PADDING = { top: 44, side: 48, bottom: 28 };
const EMPTY_FRAME = { width: 440, height: 160 };
const BODY_GAP = 56;
const NONE: readonly Edge[] = [];

const placements = new WeakMap<Graph, Placement>();
const placedCards = new WeakMap<Placed, PlacedCard>();
type EdgesByNode = ReadonlyMap<string, readonly Edge[]>;
const edgesByNode = new WeakMap<Graph["edges"], EdgesByNode>();
let lastEdges: EdgesByNode = new Map();

function grouped<T>(
  all: Iterable<T>,
  keyOf: (one: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = keyOf(each);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
}

/** Edges by the node that they leave; lists that stayed equal stay the same object. */
function edgesFrom(edges: Graph["edges"]): EdgesByNode {
  const known = edgesByNode.get(edges);
  if (known) return known;
  const made = grouped(edges, (each) => each.source);
  const kept = new Map<string, readonly Edge[]>();
  for (const [id, list] of made) {
    const old = lastEdges.get(id);
    const isEqual =
      old?.length === list.length && old.every((each, at) => each.key === list[at]?.key);
    kept.set(id, isEqual && old ? old : list);
  }
  lastEdges = kept;
  edgesByNode.set(edges, kept);
  return kept;
}

/** A card at its place; the same object as long as it looks the same and stays where it is. */
function placedCard(node: Placed, card: Card, origin: Point): PlacedCard {
  const x = origin.x + node.x - card.width / 2;
  const y = origin.y + node.y;
  const known = placedCards.get(node);
  if (known?.card === card && known.box.x === x && known.box.y === y) return known;
  const made = { node, card, box: { x, y, width: card.width, height: card.height } };
  placedCards.set(node, made);
  return made;
}

/** Where everything is drawn, on one ground: top left corners and sizes. */
export function placementOf(graph: Graph): Placement {
  const known = placements.get(graph);
  if (known) return known;
  const from = edgesFrom(graph.edges);
  const cards = new Map<string, PlacedCard>();
  const origins = new Map<string, Point>([["", { x: 0, y: 0 }]]);
  const composites: Placed[] = [];
  for (const node of graph.nodes.values()) {
    const origin = origins.get(node.scope) ?? { x: 0, y: 0 };
    const card = cardOf(node, from.get(node.id) ?? NONE);
    cards.set(node.id, placedCard(node, card, origin));
    if (isComposite(node.type)) {
      const body = node.body ?? bodyBelow(node, card.height);
      origins.set(node.id, { x: origin.x + body.x, y: origin.y + body.y });
      composites.unshift(node);
    }
  }
  const frames = new Map<string, Frame>();
  const inside =
    composites.length > 0 ? grouped(cards.values(), (each) => each.node.scope) : undefined;
  for (const node of composites) {
    const origin = origins.get(node.id) ?? { x: 0, y: 0 };
    const inner = inside?.get(node.id) ?? [];
    const boxes = inner.flatMap((each) => {
      const frame = frames.get(each.node.id);
      return frame ? [each.box, frame.box] : [each.box];
    });
    const box = frameBox(boxes, origin);
    frames.set(node.id, { id: node.id, origin, box, isEmpty: inner.length === 0 });
  }
  const made = { cards, frames };
  placements.set(graph, made);
  return made;
}

/** Where a body goes that the text gives no place to. */
function bodyBelow(node: Point, height: number): Point {
  return { x: node.x, y: node.y + height + BODY_GAP + FRAME_PADDING.top };
}

function frameBox(boxes: readonly Box[], origin: Point): Box {
  if (boxes.length === 0) {
    return {
      ...EMPTY_FRAME,
      x: origin.x - EMPTY_FRAME.width / 2,
      y: origin.y - FRAME_PADDING.top,
    };
  }
  const around = bounds(boxes);
  return {
    x: around.x - FRAME_PADDING.side,
    y: around.y - FRAME_PADDING.top,
    width: around.width + 2 * FRAME_PADDING.side,
    height: around.height + FRAME_PADDING.top + FRAME_PADDING.bottom,
  };
}

/** The smallest box around several. */
export function bounds(boxes: readonly Box[]): Box {
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...boxes.map((each) => each.x));
  const y = Math.min(...boxes.map((each) => each.y));
  const right = Math.max(...boxes.map((each) => each.x + each.width));
  const bottom = Math.max(...boxes.map((each) => each.y + each.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Whether two boxes cover each other, or come nearer than a gap. */
export function meet(one: Box, other: Box, gap = 0): boolean {
  return (
    one.x < other.x + other.width + gap &&
    other.x < one.x + one.width + gap &&
    one.y < other.y + other.height + gap &&
    other.y < one.y + one.height + gap
  );
}

/** The innermost frame that a place lies in; empty for the ground. */
export function scopeAt(placement: Placement, point: Point): string {
  let found = "";
  let size = Number.POSITIVE_INFINITY;
  for (const { id, box } of placement.frames.values()) {
    const isIn =
      point.x >= box.x &&
      point.x <= box.x + box.width &&
      point.y >= box.y &&
      point.y <= box.y + box.height;
    if (isIn && box.width * box.height < size) {
      found = id;
      size = box.width * box.height;
    }
  }
  return found;
}
