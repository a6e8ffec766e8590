import { useMemo } from "react";
import type { NodeKind } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { toast } from "../../ui/toast/toasts";
import { copied, pasted } from "../commands/clipboard";
import {
  addEdge,
  addNode,
  frameEdge,
  freshIds,
  freshTitle,
  moveNodes,
  newNode,
  removeEdges,
  removeNodes,
  splitEdge,
} from "../commands/nodes";
import type { JsonObject } from "../document/read";
import type { Value } from "../document/tree";
import { defaultsOf, useKindName } from "../kinds";
import { canvasLayout, type NodePlace } from "../layout/canvas-layout";
import { freeShift } from "../layout/free-place";
import { CARD_WIDTH } from "../model/card";
import { type Graph, graphOf, type Point } from "../model/graph";
import { isEnd } from "../model/kind";
import { GRID, placementOf, scopeAt } from "../model/place";
import { portsOf, portToFollow } from "../model/port";
import { readersOf } from "../model/readers";
import { type CanvasStore, useCanvasStore } from "../store";
import { canvasText } from "../text";
import type { Text } from "../text.en";
import type { Ends } from "./flow-nodes";
import { useBring } from "./use-sight";

/** What a new node is joined to: behind a port, or between the ends of an edge. */
export type Joint =
  | { readonly kind: "after"; readonly id: string; readonly port: string }
  | { readonly kind: "first"; readonly composite: string }
  | { readonly kind: "edge"; readonly key: string };

/** What a new node is made of: a title, and settings beside the defaults of its kind. */
export type Preset = { readonly title: string; readonly data: JsonObject };

export type Acts = ReturnType<typeof actsOf>;

const GAP = 80;

/** Everything a person can do to the canvas itself, by any hand: mouse, keys, outline, menus. */
export function useActs(): Acts {
  const store = useCanvasStore();
  const text = useText(canvasText);
  const nameOf = useKindName();
  return useMemo(() => actsOf(store, text, nameOf), [store, text, nameOf]);
}

/** Lays out what is chosen; all of it comes into sight then where that was all. */
export function useLayOut(): () => void {
  const acts = useActs();
  const bring = useBring();
  return () => {
    if (acts.layOut()) bring({ padding: 0.1 });
  };
}

function actsOf(store: CanvasStore, text: Text, nameOf: (type: string) => string) {
  const { apply } = store.getState();
  const graphNow = () => graphOf(store.getState().root);

  /**
   * Adds a node at a place of the ground or, where it would cover another, beside that, and joins
   * it. Between the ends of an edge it stays on the line, and what comes behind goes on as far as
   * it needs.
   */
  function add(kind: NodeKind, place: Point, joint?: Joint, preset?: Preset): string {
    const graph = graphNow();
    const placement = placementOf(graph);
    const scope = jointScope(joint) ?? scopeAt(placement, place);
    const origin = placement.frames.get(scope)?.origin ?? { x: 0, y: 0 };
    const [id = ""] = freshIds(graph, 1);
    const title = freshTitle(graph, preset?.title ?? nameOf(kind.type_id));
    const line = joint?.kind === "edge" ? lineOf(graph, joint.key) : undefined;
    const missing = line ? Math.max(CARD_WIDTH + 2 * GAP - line.room, 0) : 0;
    const x = line && missing > 0 ? line.from + GAP + CARD_WIDTH / 2 : place.x;
    const at = { x: snapped(x - origin.x), y: snapped(place.y - origin.y) };
    const made = { id, type: kind.type_id, title, data: { ...defaultsOf(kind), ...preset?.data } };
    let node = newNode({ ...made, at });
    if (joint?.kind !== "edge") {
      const { x, y } = freeShift(graphOf(addNode(store.getState().root, scope, node)), id);
      node = newNode({ ...made, at: { x: at.x + x, y: at.y + y } });
    }
    apply(
      text.steps.add(title),
      (root) => pushed(joined(addNode(root, scope, node), id, joint), id, missing),
      { selection: [id] },
    );
    store.getState().say(text.announce.added(title));
    return id;
  }

  function jointScope(joint: Joint | undefined): string | undefined {
    const graph = graphNow();
    if (joint?.kind === "after") return graph.nodes.get(joint.id)?.scope;
    if (joint?.kind === "first") return joint.composite;
    if (joint?.kind === "edge") return graph.edges.find((each) => each.key === joint.key)?.scope;
    return undefined;
  }

  function joined(root: Value, id: string, joint: Joint | undefined): Value {
    const graph = graphOf(root);
    const node = graph.nodes.get(id);
    const [first] = node ? portsOf(node).outputs : [];
    if (!joint || !node) return root;
    if (joint.kind === "edge") return splitEdge(root, joint.key, id, first?.id ?? "");
    if (joint.kind === "first") {
      return addEdge(root, joint.composite, frameEdge(graph, joint.composite, id, true));
    }
    const edge = { source: joint.id, sourcePort: joint.port, target: id, targetPort: "" };
    return addEdge(root, node.scope, edge);
  }

  /** Adds a node to the right of another, on the edge that leaves it where there is just one. */
  function addAfter(kind: NodeKind, id: string, preset?: Preset): string | undefined {
    const graph = graphNow();
    const placed = placementOf(graph).cards.get(id);
    if (!placed) return undefined;
    const port = portToFollow(graph, placed.node);
    const out = graph.edges.filter(
      (each) => each.source === id && each.scope === placed.node.scope,
    );
    const [only] = out;
    const { x, y, width } = placed.box;
    const at = { x: x + width + GAP + CARD_WIDTH / 2, y };
    if (only && out.length === 1 && placed.card.ports.length === 1) {
      return add(kind, at, { kind: "edge", key: only.key }, preset);
    }
    return add(kind, at, port && { kind: "after", id, port: port.id }, preset);
  }

  /** Where the beginning of an edge ends, and how far it is from there to where it leads. */
  function lineOf(graph: Graph, key: string): { from: number; room: number } | undefined {
    const edge = graph.edges.find((each) => each.key === key);
    const { cards } = placementOf(graph);
    const [source, target] = [edge?.source, edge?.target].map((id) => cards.get(id ?? "")?.box);
    if (!source || !target || target.x <= source.x) return undefined;
    const from = source.x + source.width;
    return { from, room: target.x - from };
  }

  /** Makes room: everything to the right of a new node goes on by as much as is missing. */
  function pushed(root: Value, id: string, by: number): Value {
    const graph = graphOf(root);
    const self = graph.nodes.get(id);
    if (!self || by === 0) return root;
    const places = new Map<string, NodePlace>();
    for (const node of graph.nodes.values()) {
      if (node.id === id || node.scope !== self.scope || node.x < self.x - CARD_WIDTH / 2) continue;
      places.set(node.id, shifted(node, by, 0));
    }
    return moveNodes(root, places);
  }

  function shifted(node: { x: number; y: number; body: Point | undefined }, x: number, y: number) {
    const position = { x: node.x + x, y: node.y + y };
    const body = node.body && { x: node.body.x + x, y: node.body.y + y };
    return body ? { position, body } : { position };
  }

  return {
    add,
    addAfter,
    connect(ends: Ends): void {
      apply(text.steps.connect, (root) => addEdge(root, ends.scope, ends));
    },
    reconnect(key: string, ends: Ends): void {
      apply(text.steps.connect, (root) =>
        addEdge(removeEdges(root, new Set([key])), ends.scope, ends),
      );
    },
    disconnect(key: string): void {
      apply(text.steps.disconnect, (root) => removeEdges(root, new Set([key])));
    },
    remove(isHealed: boolean): void {
      const { selection, edges, root } = store.getState();
      const graph = graphOf(root);
      const doomed = [...selection].filter((id) => !isEnd(graph.nodes.get(id)?.type ?? ""));
      if (doomed.length === 0 && edges.size === 0) {
        if (selection.size > 0) toast(text.endsStay);
        return;
      }
      const readers = readersOf(graph, new Set(doomed));
      if (readers.length > 0) toast(text.stillRead(readers.map((each) => each.title)));
      apply(
        doomed.length > 0 ? text.steps.remove(doomed.length) : text.steps.disconnect,
        (old) => removeNodes(removeEdges(old, edges), new Set(doomed), isHealed),
        { selection: [] },
      );
      store.getState().say(text.announce.removed(doomed.length));
    },
    moveBy(x: number, y: number): void {
      const { selection, root } = store.getState();
      const graph = graphOf(root);
      const places = new Map<string, NodePlace>();
      for (const id of selection) {
        const node = graph.nodes.get(id);
        if (node) places.set(id, shifted(node, x, y));
      }
      apply(text.steps.move(places.size), (old) => moveNodes(old, places), { field: "arrows" });
    },
    move(places: ReadonlyMap<string, NodePlace>): void {
      apply(text.steps.move(places.size), (root) => moveNodes(root, places));
    },
    /** Lays out what is chosen, or all; whether that was all. */
    layOut(): boolean {
      const { selection, root } = store.getState();
      const graph = graphOf(root);
      const chosen = selection.size > 1 ? selection : undefined;
      const places = canvasLayout(graph, placementOf(graph), chosen);
      apply(text.steps.layOut, (old) => moveNodes(old, places));
      return !chosen;
    },
    selectAll(): void {
      store.getState().select(graphNow().nodes.keys());
    },
    copyText(): string | undefined {
      const { selection } = store.getState();
      const graph = graphNow();
      if (![...selection].some((id) => !isEnd(graph.nodes.get(id)?.type ?? "1"))) return undefined;
      store.getState().say(text.announce.copied(selection.size));
      return copied(graph, selection);
    },
    paste(clip: string, place: Point): void {
      const placement = placementOf(graphNow());
      const scope = scopeAt(placement, place);
      const origin = placement.frames.get(scope)?.origin ?? { x: 0, y: 0 };
      const made = pasted(store.getState().root, clip, scope, {
        x: snapped(place.x - origin.x),
        y: snapped(place.y - origin.y),
      });
      if (!made) {
        toast(text.nothingToPaste);
        return;
      }
      apply(text.steps.paste(made.ids.length), () => made.root, { selection: made.ids });
    },
    duplicate(): void {
      const { selection, root } = store.getState();
      const graph = graphOf(root);
      const [first] = [...selection].flatMap((id) => graph.nodes.get(id) ?? []);
      if (!first) return;
      const nodes = [...selection].flatMap((id) => graph.nodes.get(id) ?? []);
      const middle = {
        x: (Math.min(...nodes.map((n) => n.x)) + Math.max(...nodes.map((n) => n.x))) / 2 + 40,
        y: (Math.min(...nodes.map((n) => n.y)) + Math.max(...nodes.map((n) => n.y))) / 2 + 40,
      };
      const made = pasted(root, copied(graph, selection), first.scope, middle);
      if (made) apply(text.steps.paste(made.ids.length), () => made.root, { selection: made.ids });
    },
    undo(): void {
      const label = store.getState().undo();
      if (label) store.getState().say(text.announce.undone(label));
    },
    redo(): void {
      const label = store.getState().redo();
      if (label) store.getState().say(text.announce.redone(label));
    },
  };
}

function snapped(value: number): number {
  return Math.round(value / GRID) * GRID;
}
