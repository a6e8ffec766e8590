import { IN_Y } from "../model/card";
import type { Graph } from "../model/graph";
import { type Box, bounds, type Placement } from "../model/place";
import { innerPorts } from "../model/port";

export type Colours = {
  readonly card: string;
  readonly line: string;
  readonly chosen: string;
  readonly frame: string;
  readonly states: Readonly<Record<string, string>>;
};

let known: { readonly theme: string; readonly colours: Colours } | undefined;

/** The tokens of the theme as the painter needs them. */
export function coloursOf(element: Element): Colours {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = `${document.documentElement.className} ${isDark}`;
  if (known?.theme === theme) return known.colours;
  const probe = document.createElement("span");
  element.parentElement?.append(probe);
  const pick = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    card: pick("--raised"),
    line: pick("--control"),
    chosen: pick("--accent"),
    frame: pick("--bg"),
    states: {
      running: pick("--run"),
      success: pick("--ok"),
      failed: pick("--bad"),
      waiting: pick("--wait"),
      added: pick("--ok"),
      changed: pick("--warn"),
      removed: pick("--bad"),
    },
  };
  probe.remove();
  known = { theme, colours };
  return colours;
}

export type Sight = { readonly x: number; readonly y: number; readonly zoom: number };

export type Scene = {
  readonly graph: Graph;
  readonly placement: Placement;
  readonly selection: ReadonlySet<string>;
  readonly stateOf: (id: string) => string | undefined;
};

/** Draws all of a canvas as spots and lines: from far away, and on the map. */
export function paint(
  context: CanvasRenderingContext2D,
  { graph, placement, selection, stateOf }: Scene,
  sight: Sight,
  colours: Colours,
): void {
  const { zoom } = sight;
  const at = (box: Box) =>
    [box.x * zoom + sight.x, box.y * zoom + sight.y, box.width * zoom, box.height * zoom] as const;
  context.lineWidth = 1;
  for (const { box } of placement.frames.values()) {
    context.fillStyle = colours.frame;
    context.strokeStyle = colours.line;
    context.fillRect(...at(box));
    context.strokeRect(...at(box));
  }
  context.strokeStyle = colours.line;
  context.lineWidth = Math.max(1, 1.5 * zoom);
  context.beginPath();
  for (const edge of graph.edges) {
    const from = ends(placement, graph, edge.source, edge.sourcePort, true);
    const to = ends(placement, graph, edge.target, edge.targetPort, false);
    if (!from || !to) continue;
    const [x, y] = [from.x * zoom + sight.x, from.y * zoom + sight.y];
    const [u, v] = [to.x * zoom + sight.x, to.y * zoom + sight.y];
    const bend = Math.max(Math.abs(u - x) / 2, 8);
    context.moveTo(x, y);
    context.bezierCurveTo(x + bend, y, u - bend, v, u, v);
  }
  context.stroke();
  for (const { node, box } of placement.cards.values()) {
    const state = stateOf(node.id);
    context.fillStyle = (state && colours.states[state]) || colours.card;
    context.strokeStyle = selection.has(node.id) ? colours.chosen : colours.line;
    context.lineWidth = selection.has(node.id) ? 2 : 1;
    const [x, y, width, height] = at(box);
    context.fillRect(x, y, Math.max(width, 3), Math.max(height, 2));
    if (width > 6) context.strokeRect(x, y, width, height);
  }
}

function ends(placement: Placement, graph: Graph, id: string, port: string, isSource: boolean) {
  const type = graph.nodes.get(id)?.type ?? "";
  const { start, end } = innerPorts(type);
  const frame = placement.frames.get(id)?.box;
  if (frame && port === start) return { x: frame.x, y: frame.y + frame.height / 2 };
  if (frame && port === end) return { x: frame.x + frame.width, y: frame.y + frame.height / 2 };
  const placed = placement.cards.get(id);
  if (!placed) return undefined;
  const { box, card } = placed;
  const own = card.ports.find((each) => each.id === port);
  return {
    x: isSource ? box.x + box.width : box.x,
    y: box.y + (isSource ? (own?.y ?? IN_Y) : IN_Y),
  };
}

/** Everything there is, in one box. */
export function extent(placement: Placement): Box {
  return bounds([
    ...[...placement.cards.values()].map((each) => each.box),
    ...[...placement.frames.values()].map((each) => each.box),
  ]);
}

/** The card under a place; the ground has none. */
export function hit(placement: Placement, x: number, y: number, slack: number): string | undefined {
  for (const { node, box } of placement.cards.values()) {
    const isIn =
      x >= box.x - slack &&
      x <= box.x + box.width + slack &&
      y >= box.y - slack &&
      y <= box.y + box.height + slack;
    if (isIn) return node.id;
  }
  return undefined;
}
