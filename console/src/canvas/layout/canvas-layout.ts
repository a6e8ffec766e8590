import { IN_Y } from "../model/card";
import type { Graph, Point } from "../model/graph";
import { isComposite, NOTE } from "../model/kind";
import { type Box, bounds, FRAME_PADDING, type Placement } from "../model/place";
import { portsWithEdges } from "../model/port";
import { type LaidEdge, layered } from "./layered";

/** Where a node goes, as the text has it; `body` for composites. */
export type NodePlace = { readonly position: Point; readonly body?: Point };

const BODY_GAP = 56;

/**
 * Places for the nodes of a canvas, or for some of them: insides of composites first, then what
 * is around. What is chosen stays where its top left corner was.
 */
export function canvasLayout(
  graph: Graph,
  placement: Placement,
  chosen?: ReadonlySet<string>,
): ReadonlyMap<string, NodePlace> {
  const found = new Map<string, NodePlace>();
  const sizes = new Map<string, { inner: Box; origin: Point }>();
  const scopes = [
    "",
    ...[...graph.nodes.values()].filter((n) => isComposite(n.type)).map((n) => n.id),
  ];
  for (const scope of scopes.reverse()) {
    const members = [...graph.nodes.values()].filter(
      (node) => node.scope === scope && node.type !== NOTE && (!chosen || isChosen(node.id)),
    );
    if (members.length === 0) continue;
    layScope(
      scope,
      members.map((node) => node.id),
    );
  }
  function isChosen(id: string): boolean {
    for (let each: string | undefined = id; each; each = graph.nodes.get(each)?.scope) {
      if (chosen?.has(each)) return true;
    }
    return false;
  }
  function layScope(scope: string, ids: readonly string[]): void {
    const boxes = new Map(ids.map((id) => [id, extent(id)]));
    const places = layered(
      ids.map((id) => ({
        id,
        width: boxes.get(id)?.width ?? 0,
        height: boxes.get(id)?.height ?? 0,
      })),
      edgesOf(graph, placement, scope),
    );
    const isWhole = !chosen || (scope !== "" && isChosen(scope));
    const old = bounds(ids.flatMap((id) => placement.cards.get(id)?.box ?? []));
    const origin = isWhole ? { x: 0, y: 0 } : offset(placement, scope, old);
    for (const id of ids) {
      const place = places.get(id);
      const card = placement.cards.get(id)?.card;
      if (!place || !card) continue;
      const width = boxes.get(id)?.width ?? card.width;
      const position = {
        x: origin.x + place.x + Math.round(width / 2),
        y: origin.y + place.y,
      };
      const inside = sizes.get(id);
      const body = inside && {
        x: position.x - Math.round(inside.inner.width / 2) + inside.origin.x,
        y: position.y + card.height + BODY_GAP + inside.origin.y,
      };
      found.set(id, body ? { position, body } : { position });
    }
    if (scope) {
      const laid = ids.flatMap((id) => {
        const place = places.get(id);
        const box = boxes.get(id);
        return place && box ? [{ ...place, width: box.width, height: box.height }] : [];
      });
      const around = bounds(laid);
      sizes.set(scope, {
        inner: {
          x: 0,
          y: 0,
          width: around.width + 2 * FRAME_PADDING.side,
          height: around.height + FRAME_PADDING.top + FRAME_PADDING.bottom,
        },
        origin: { x: FRAME_PADDING.side, y: FRAME_PADDING.top },
      });
    }
  }
  /** How much room a node takes with its body. */
  function extent(id: string): { width: number; height: number } {
    const card = placement.cards.get(id)?.card;
    const [width, height] = [card?.width ?? 0, card?.height ?? 0];
    const inner = sizes.get(id)?.inner ?? placement.frames.get(id)?.box;
    if (!inner) return { width, height };
    return {
      width: Math.max(width, inner.width),
      height: height + BODY_GAP + inner.height,
    };
  }
  withNotes(graph, placement, found);
  return found;
}

function offset(placement: Placement, scope: string, old: Box): Point {
  const origin = placement.frames.get(scope)?.origin ?? { x: 0, y: 0 };
  return { x: Math.round(old.x - origin.x), y: Math.round(old.y - origin.y) };
}

function edgesOf(graph: Graph, placement: Placement, scope: string): LaidEdge[] {
  return graph.edges
    .filter((edge) => edge.scope === scope)
    .map((edge) => {
      const node = graph.nodes.get(edge.source);
      const ports = node ? portsWithEdges(node, []).outputs : [];
      const order = ports.findIndex((port) => port.id === edge.sourcePort);
      const port = placement.cards.get(edge.source)?.card.ports[order];
      return {
        source: edge.source,
        target: edge.target,
        order: Math.max(order, 0),
        leaves: port?.y ?? IN_Y,
      };
    });
}

/** Notes keep their distance to the node that they stood nearest to. */
function withNotes(graph: Graph, placement: Placement, places: Map<string, NodePlace>): void {
  for (const note of graph.nodes.values()) {
    if (note.type !== NOTE) continue;
    let nearest: { x: number; y: number; id: string } | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const { node } of placement.cards.values()) {
      if (node.scope !== note.scope || node.type === NOTE) continue;
      const distance = Math.hypot(node.x - note.x, node.y - note.y);
      if (distance < least) {
        least = distance;
        nearest = node;
      }
    }
    const moved = nearest && places.get(nearest.id);
    if (!nearest || !moved) continue;
    places.set(note.id, {
      position: {
        x: moved.position.x + note.x - nearest.x,
        y: moved.position.y + note.y - nearest.y,
      },
    });
  }
}
