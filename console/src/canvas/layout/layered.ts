import { IN_Y } from "../model/card";

/** A node to be laid out, and its size. */
export type LaidNode = { readonly id: string; readonly width: number; readonly height: number };

/** An edge to be laid out. */
export type LaidEdge = {
  readonly source: string;
  readonly target: string;
  /** That of its port among those of its source. */
  readonly order: number;
  /** How far down its source it leaves it. */
  readonly leaves: number;
};

export type Place = { readonly x: number; readonly y: number };

const ACROSS = 80;
const DOWN = 40;
const SWEEPS = 8;
const VIRTUAL_HEIGHT = 8;
/** What a node keeps from a line that passes it by. */
const ASIDE = 20;

type Cell = {
  id: string;
  layer: number;
  /** Position in its layer. */
  order: number;
  y: number;
  height: number;
  width: number;
  /** The edge that runs through it, where it stands for no node. */
  through: Passing | undefined;
  before: Link[];
  after: Link[];
};

type Passing = { readonly from: Cell; readonly to: Cell; readonly leaves: number };

type Link = { cell: Cell; order: number };

/**
 * Layers from the left to the right (Sugiyama): longest paths, then sweeps of weighted medians
 * that sort the layers, then heights that straighten chains. Equal input, equal output.
 */
export function layered(
  nodes: readonly LaidNode[],
  edges: readonly LaidEdge[],
): ReadonlyMap<string, Place> {
  const known = new Map(nodes.map((node) => [node.id, cell(node)]));
  const forward = withoutCircles(known, edges);
  const connected = new Set(forward.flatMap((edge) => [edge.source, edge.target]));
  const cells = [...known.values()].filter((each) => connected.has(each.id));
  rank(known, forward);
  const layers = sorted(link(known, cells, forward));
  align(layers);
  layers.forEach(clear);
  const places = new Map<string, Place>();
  let x = 0;
  let bottom = Number.NEGATIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  for (const layer of layers) {
    const real = layer.filter((each) => !each.through);
    for (const each of real) {
      places.set(each.id, { x, y: Math.round(each.y) });
      bottom = Math.max(bottom, each.y + each.height);
      top = Math.min(top, each.y);
    }
    x += Math.max(0, ...real.map((each) => each.width)) + ACROSS;
  }
  const shift = Number.isFinite(top) ? Math.round(top) : 0;
  for (const [id, place] of places) places.set(id, { x: place.x, y: place.y - shift });
  below(
    [...known.values()].filter((each) => !connected.has(each.id)),
    Number.isFinite(bottom) ? Math.round(bottom - shift) + 2 * DOWN : 0,
    places,
  );
  return places;
}

function cell({ id, width, height }: LaidNode): Cell {
  return { id, width, height, layer: 0, order: 0, y: 0, through: undefined, before: [], after: [] };
}

/** Edges between nodes that are there, one for each pair, without those that close a circle. */
function withoutCircles(
  cells: ReadonlyMap<string, Cell>,
  edges: readonly LaidEdge[],
): readonly LaidEdge[] {
  const pairs = new Map<string, LaidEdge>();
  for (const edge of edges) {
    if (edge.source === edge.target || !cells.has(edge.source) || !cells.has(edge.target)) continue;
    const key = JSON.stringify([edge.source, edge.target]);
    if (!pairs.has(key)) pairs.set(key, edge);
  }
  const outgoing = new Map<string, LaidEdge[]>();
  for (const edge of pairs.values()) {
    const list = outgoing.get(edge.source);
    if (list) list.push(edge);
    else outgoing.set(edge.source, [edge]);
  }
  const state = new Map<string, "open" | "done">();
  const kept: LaidEdge[] = [];
  for (const start of cells.keys()) {
    if (state.has(start)) continue;
    const stack = [{ id: start, next: 0 }];
    state.set(start, "open");
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = outgoing.get(top.id)?.[top.next];
      if (!edge) {
        state.set(top.id, "done");
        stack.pop();
        continue;
      }
      top.next += 1;
      const seen = state.get(edge.target);
      if (seen === "open") continue;
      kept.push(edge);
      if (seen === undefined) {
        state.set(edge.target, "open");
        stack.push({ id: edge.target, next: 0 });
      }
    }
  }
  return kept;
}

function rank(cells: ReadonlyMap<string, Cell>, edges: readonly LaidEdge[]): void {
  const open = new Map<string, number>();
  const outgoing = new Map<string, string[]>();
  for (const { source, target } of edges) {
    open.set(target, (open.get(target) ?? 0) + 1);
    const list = outgoing.get(source);
    if (list) list.push(target);
    else outgoing.set(source, [target]);
  }
  const ready = [...cells.values()].filter((each) => !open.has(each.id));
  for (let at = 0; at < ready.length; at += 1) {
    const from = ready[at];
    for (const id of outgoing.get(from?.id ?? "") ?? []) {
      const to = cells.get(id);
      if (!from || !to) continue;
      to.layer = Math.max(to.layer, from.layer + 1);
      const left = (open.get(id) ?? 1) - 1;
      open.set(id, left);
      if (left === 0) ready.push(to);
    }
  }
}

/** Cells in layers; an edge over several of them runs through virtual cells. */
function link(
  known: ReadonlyMap<string, Cell>,
  cells: readonly Cell[],
  edges: readonly LaidEdge[],
): Cell[][] {
  const layers: Cell[][] = [];
  const put = (each: Cell) => {
    while (layers.length <= each.layer) layers.push([]);
    const layer = layers[each.layer] ?? [];
    each.order = layer.length;
    layer.push(each);
  };
  cells.forEach(put);
  for (const { source, target, order, leaves } of edges) {
    const [from, to] = [known.get(source), known.get(target)];
    if (!from || !to) continue;
    let last = from;
    let port = order;
    for (let layer = from.layer + 1; layer < to.layer; layer += 1) {
      const virtual = cell({
        id: `${source}→${target}@${layer}`,
        width: 0,
        height: VIRTUAL_HEIGHT,
      });
      Object.assign(virtual, { layer, through: { from, to, leaves } });
      put(virtual);
      join(last, virtual, port);
      last = virtual;
      port = 0;
    }
    join(last, to, port);
  }
  return layers;
}

function join(from: Cell, to: Cell, order: number): void {
  from.after.push({ cell: to, order });
  to.before.push({ cell: from, order });
}

/** The layers in the order with the fewest crossings that the sweeps came by. */
function sorted(layers: Cell[][]): Cell[][] {
  let best = layers.map((layer) => [...layer]);
  let fewest = crossings(layers);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    const isDown = sweep % 2 === 0;
    const run = isDown ? layers.slice(1) : layers.slice(0, -1).reverse();
    for (const layer of run) sort(layer, isDown);
    const found = crossings(layers);
    if (found < fewest) {
      fewest = found;
      best = layers.map((layer) => [...layer]);
    }
  }
  best.forEach(number);
  return best;
}

function sort(layer: Cell[], isDown: boolean): void {
  const weights = new Map(
    layer.map((each) => [each, median((isDown ? each.before : each.after).map(position))]),
  );
  layer.sort((one, other) => {
    const [left, right] = [weights.get(one) ?? -1, weights.get(other) ?? -1];
    if (left < 0 || right < 0 || left === right) return one.order - other.order;
    return left - right;
  });
  number(layer);
}

function position({ cell: { order }, order: port }: Link): number {
  return order + Math.min(port, 99) / 100;
}

function number(layer: readonly Cell[]): void {
  layer.forEach((each, index) => {
    each.order = index;
  });
}

function median(values: number[]): number {
  if (values.length === 0) return -1;
  values.sort((one, other) => one - other);
  const middle = values.length >> 1;
  const [low = 0, high = 0] = [values[middle - 1], values[middle]];
  return values.length % 2 === 1 ? high : (low + high) / 2;
}

/** Counts the pairs of edges that cross, layer by layer, with a tree of counts. */
function crossings(layers: readonly Cell[][]): number {
  let found = 0;
  for (const [index, layer] of layers.entries()) {
    const width = layers[index + 1]?.length ?? 0;
    if (width === 0) continue;
    const counts = new Array<number>(width + 1).fill(0);
    const ends = layer.flatMap((each) =>
      each.after
        .toSorted((one, other) => one.order - other.order || one.cell.order - other.cell.order)
        .map((link) => link.cell.order),
    );
    ends.forEach((end, before) => {
      let atMost = 0;
      for (let at = end + 1; at > 0; at -= at & -at) atMost += counts[at] ?? 0;
      found += before - atMost;
      for (let at = end + 1; at <= width; at += at & -at) counts[at] = (counts[at] ?? 0) + 1;
    });
  }
  return found;
}

/** Heights: each layer follows its neighbours as far as the order in it allows. */
function align(layers: readonly Cell[][]): void {
  for (const layer of layers) {
    let y = 0;
    for (const each of layer) {
      each.y = y;
      y += each.height + DOWN;
    }
  }
  for (let round = 0; round < 6; round += 1) {
    const isDown = round % 2 === 0;
    const run = isDown ? layers : [...layers].reverse();
    for (const layer of run) settle(layer, isDown);
  }
}

/** Moves the cells of a layer as near as can be to where their neighbours want them. */
function settle(layer: readonly Cell[], isDown: boolean): void {
  type Block = { cells: Cell[]; height: number; wanted: number; weight: number };
  const blocks: Block[] = [];
  for (const each of layer) {
    const links = isDown ? each.before : each.after;
    const centres = links.map((link) => link.cell.y + anchor(link.cell) - anchor(each));
    const wanted = centres.length > 0 ? median(centres) : each.y;
    const weight = centres.length === 0 ? 0.01 : each.through ? 2 : 1;
    let block: Block = { cells: [each], height: each.height, wanted, weight };
    for (let above = blocks.at(-1); above; above = blocks.at(-1)) {
      if (above.wanted + above.height + DOWN <= block.wanted) break;
      blocks.pop();
      const offset = above.height + DOWN;
      const sum = above.weight + block.weight;
      block = {
        cells: [...above.cells, ...block.cells],
        height: offset + block.height,
        wanted: (above.wanted * above.weight + (block.wanted - offset) * block.weight) / sum,
        weight: sum,
      };
    }
    blocks.push(block);
  }
  for (const block of blocks) {
    let y = block.wanted;
    for (const each of block.cells) {
      each.y = y;
      y += each.height + DOWN;
    }
  }
}

/**
 * Moves the nodes of a layer out of the way of lines that pass: a line is drawn in one sweep from
 * end to end, and a node that it crossed would look as if it led there.
 */
function clear(layer: readonly Cell[]): void {
  let floor = Number.NEGATIVE_INFINITY;
  for (const each of layer) {
    if (each.through) {
      floor = Math.max(floor, Math.max(...heights(each.through)) + ASIDE);
      continue;
    }
    each.y = Math.max(each.y, floor);
    floor = each.y + each.height + DOWN;
  }
  let ceiling = Number.POSITIVE_INFINITY;
  for (const each of layer.toReversed()) {
    if (each.through) {
      ceiling = Math.min(ceiling, Math.min(...heights(each.through)) - ASIDE);
      continue;
    }
    each.y = Math.min(each.y, ceiling - each.height);
    ceiling = each.y - DOWN;
  }
}

/** Where a line begins and where it ends. */
function heights({ from, to, leaves }: Passing): readonly [number, number] {
  return [from.y + leaves, to.y + anchor(to)];
}

/** Where edges meet a cell: at the height of its header, so that chains of cards are straight. */
function anchor(each: Cell): number {
  return each.through ? VIRTUAL_HEIGHT / 2 : Math.min(IN_Y, each.height / 2);
}

/** What nothing leads to stands in rows under the rest. */
function below(cells: readonly Cell[], from: number, places: Map<string, Place>): void {
  let [x, y, tallest] = [0, from, 0];
  const widest = Math.max(1600, ...cells.map((each) => each.width));
  for (const each of cells) {
    if (x > 0 && x + each.width > widest) {
      y += tallest + DOWN;
      [x, tallest] = [0, 0];
    }
    places.set(each.id, { x, y });
    x += each.width + ACROSS;
    tallest = Math.max(tallest, each.height);
  }
}
