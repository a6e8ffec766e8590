import { type Edge as FlowEdge, type Node, type NodeHandle, Position } from "@xyflow/react";
import type { Selection } from "../commands/history";
import type { Value } from "../document/tree";
import { CARD_WIDTH, type Card, HEADER } from "../model/card";
import type { Edge, Graph, Placed } from "../model/graph";
import { NOTE } from "../model/kind";
import { type Box, type PlacedCard, placementOf } from "../model/place";
import { innerPorts, portMeant } from "../model/port";

export type CardNode = Node<{ readonly node: Placed; readonly card: Card }, "card" | "note">;
export type FrameNode = Node<
  { readonly composite: string; readonly title: string; readonly isEmpty: boolean },
  "frame"
>;
export type CanvasFlowNode = CardNode | FrameNode;

export type LineEdge = FlowEdge<Record<string, never>, "line">;

const PORT = 12;
const MOON = { width: 16, height: 32 };
const BODY = "#body";

export const IN = "in";
export const START = "start";
export const END = "end";

export function bodyId(id: string): string {
  return id + BODY;
}

/** The composite whose body a node of the view is; nothing for cards. */
export function compositeOf(id: string): string | undefined {
  return id.endsWith(BODY) ? id.slice(0, -BODY.length) : undefined;
}

/** Name of a handle for a port of the text, which may be empty. */
export function handleOf(port: string): string {
  return `out:${port}`;
}

export function portOf(handle: string | null | undefined): string {
  return handle?.startsWith("out:") ? handle.slice(4) : "";
}

type KnownCard = { readonly node: CardNode; readonly placed: PlacedCard };

/**
 * Turns a canvas into what the flow library draws. What stayed the same stays the same object, up to
 * the list of all lines: what the library is given again it neither compares nor draws.
 */
export class FlowNodes {
  private cards = new Map<string, KnownCard>();
  private frames = new Map<string, { node: FrameNode; key: string }>();
  private lines = new Map<string, KnownLine>();
  private lineList: LineEdge[] = [];

  nodes(graph: Graph, selection: Selection): readonly CanvasFlowNode[] {
    const placement = placementOf(graph);
    const cards = new Map<string, KnownCard>();
    const frames = new Map<string, { node: FrameNode; key: string }>();
    const nodes: CanvasFlowNode[] = [];
    for (const [id, { box, isEmpty }] of placement.frames) {
      const title = graph.nodes.get(id)?.title ?? "";
      const isChosen = selection.has(id);
      const depth = depthOf(graph, id);
      const key = JSON.stringify([box, isChosen, isEmpty, title, depth]);
      const known = this.frames.get(id);
      const node =
        known?.key === key ? known.node : frameNode({ id, box, title, isEmpty, isChosen, depth });
      frames.set(id, { node, key });
      nodes.push(node);
    }
    for (const [id, placed] of placement.cards) {
      const isChosen = selection.has(id);
      const known = this.cards.get(id);
      const isSame = known?.placed === placed && known.node.selected === isChosen;
      const card = isSame ? known : { node: cardNode(placed, isChosen, graph), placed };
      cards.set(id, card);
      nodes.push(card.node);
    }
    this.cards = cards;
    this.frames = frames;
    return nodes;
  }

  /** Edges, with the lines that join composites to their bodies. */
  edges(graph: Graph, chosen: Selection): LineEdge[] {
    const lines = new Map<string, KnownLine>();
    for (const edge of graph.edges) {
      const [source, target] = [graph.nodes.get(edge.source), graph.nodes.get(edge.target)];
      if (!source || !target || lines.has(edge.key)) continue;
      const known = this.lines.get(edge.key);
      const isChosen = chosen.has(edge.key);
      const isSame =
        known?.source === source.value &&
        known.target === target.value &&
        known.line.selected === isChosen;
      lines.set(edge.key, isSame ? known : lineOf(edge, source, target, isChosen, known?.line));
    }
    const list = [...lines.values()].map(({ line }) => line);
    const isSame =
      list.length === this.lineList.length &&
      list.every((line, index) => line === this.lineList[index]);
    this.lines = lines;
    if (!isSame) this.lineList = list;
    return this.lineList;
  }
}

function depthOf(graph: Graph, id: string): number {
  let depth = 0;
  for (let at = graph.nodes.get(id)?.scope; at; at = graph.nodes.get(at)?.scope) depth += 1;
  return depth;
}

function cardNode({ node, card, box }: PlacedCard, isChosen: boolean, graph: Graph): CardNode {
  return {
    id: node.id,
    type: node.type === NOTE ? "note" : "card",
    position: { x: box.x, y: box.y },
    width: card.width,
    height: card.height,
    measured: { width: card.width, height: card.height },
    handles: handles(card),
    selected: isChosen,
    zIndex: 2 * depthOf(graph, node.id) + 1,
    data: { node, card },
  };
}

function handles(card: Card): NodeHandle[] {
  const input: NodeHandle[] = card.hasInput
    ? [{ id: IN, type: "target", position: Position.Left, ...square(-PORT / 2, HEADER / 2) }]
    : [];
  const outputs = card.ports.map((port): NodeHandle => {
    const place = square(CARD_WIDTH - PORT / 2, port.y);
    return { id: handleOf(port.id), type: "source", position: Position.Right, ...place };
  });
  return [...input, ...outputs];
}

function square(x: number, middle: number) {
  return { x, y: middle - PORT / 2, width: PORT, height: PORT };
}

type FrameFacts = {
  id: string;
  box: Box;
  title: string;
  isEmpty: boolean;
  isChosen: boolean;
  depth: number;
};

function frameNode({ id, box, title, isEmpty, isChosen, depth }: FrameFacts): FrameNode {
  const { width, height, x, y } = box;
  const middle = height / 2 - MOON.height / 2;
  return {
    id: bodyId(id),
    type: "frame",
    position: { x, y },
    width,
    height,
    measured: { width, height },
    selectable: false,
    selected: isChosen,
    zIndex: 2 * depth,
    dragHandle: "[data-drag]",
    handles: [
      { id: START, type: "source", position: Position.Right, x: 0, y: middle, ...MOON },
      {
        id: END,
        type: "target",
        position: Position.Left,
        x: width - MOON.width,
        y: middle,
        ...MOON,
      },
    ],
    data: { composite: id, title, isEmpty },
  };
}

type KnownLine = { readonly line: LineEdge; readonly source: Value; readonly target: Value };

/** A line, or the one that was drawn before where the changed nodes have it as it was. */
function lineOf(
  edge: Edge,
  source: Placed,
  target: Placed,
  isChosen: boolean,
  old: LineEdge | undefined,
): KnownLine {
  const ends = endsOf(edge, source);
  const ariaLabel = `${source.title} → ${target.title}`;
  const isSame =
    old?.selected === isChosen &&
    old.sourceHandle === ends.sourceHandle &&
    old.ariaLabel === ariaLabel;
  const line: LineEdge = {
    id: edge.key,
    type: "line",
    ...ends,
    ariaLabel,
    selected: isChosen,
    zIndex: edge.scope ? 1 : 0,
  };
  return { line: isSame ? old : line, source: source.value, target: target.value };
}

function endsOf(edge: Edge, source: Placed) {
  const isStart = edge.scope !== "" && edge.source === edge.scope;
  const isEnd = edge.scope !== "" && edge.target === edge.scope;
  return {
    source: isStart ? bodyId(edge.source) : edge.source,
    sourceHandle: isStart ? START : handleOf(portMeant(source, edge.sourcePort)),
    target: isEnd ? bodyId(edge.target) : edge.target,
    targetHandle: isEnd ? END : IN,
  };
}

export type Ends = {
  readonly source: string;
  readonly sourcePort: string;
  readonly target: string;
  readonly targetPort: string;
  readonly scope: string;
};

export type Refusal = "circle" | "scope" | "noOutput" | "noInput" | "twice";

/** What a line between two handles of the view means in the text, or why it cannot be. */
export function connected(
  graph: Graph,
  from: { id: string; handle: string | null | undefined },
  to: { id: string; handle: string | null | undefined },
): Ends | Refusal {
  const startOf = compositeOf(from.id);
  const endOf = compositeOf(to.id);
  const source = graph.nodes.get(startOf ?? from.id);
  const target = graph.nodes.get(endOf ?? to.id);
  if (!source || !target) return "noInput";
  if (!startOf && (from.handle === IN || from.handle === END)) return "noOutput";
  if (endOf && to.handle !== END) return "noInput";
  if (!endOf && to.handle !== IN) return "noInput";
  const fromScope = startOf ? source.id : source.scope;
  const toScope = endOf ? target.id : target.scope;
  if (fromScope !== toScope) return "scope";
  const ends: Ends = {
    source: source.id,
    sourcePort: startOf ? innerPorts(source.type).start : portOf(from.handle),
    target: target.id,
    targetPort: endOf ? innerPorts(target.type).end : "",
    scope: fromScope,
  };
  const isTwice = graph.edges.some(
    (each) =>
      each.scope === ends.scope &&
      each.source === ends.source &&
      each.target === ends.target &&
      (each.sourcePort === ends.sourcePort ||
        portMeant(source, each.sourcePort) === ends.sourcePort) &&
      each.targetPort === ends.targetPort,
  );
  if (isTwice) return "twice";
  if (!startOf && !endOf && closes(graph, ends)) return "circle";
  return ends;
}

function closes(graph: Graph, ends: Ends): boolean {
  if (ends.source === ends.target) return true;
  const next = new Map<string, string[]>();
  for (const edge of graph.edges) {
    if (edge.scope !== ends.scope || edge.source === ends.scope || edge.target === ends.scope) {
      continue;
    }
    const list = next.get(edge.source);
    if (list) list.push(edge.target);
    else next.set(edge.source, [edge.target]);
  }
  const open = [ends.target];
  const seen = new Set(open);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === ends.source) return true;
    for (const each of next.get(id) ?? []) {
      if (!seen.has(each)) {
        seen.add(each);
        open.push(each);
      }
    }
  }
  return false;
}
