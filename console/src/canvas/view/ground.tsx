import {
  Background,
  BackgroundVariant,
  type Connection,
  type EdgeChange,
  type FinalConnectionState,
  type NodeChange,
  ReactFlow,
  SelectionMode,
  useReactFlow,
  useStore,
  useStoreApi,
  ViewportPortal,
} from "@xyflow/react";
import "./flow.css";
import { type DragEvent, type MouseEvent, useCallback, useMemo, useRef, useState } from "react";
import { useAppearance } from "../../session/appearance";
import { useText } from "../../text/catalogue";
import { toast } from "../../ui/toast/toasts";
import { useKinds } from "../kinds";
import type { NodePlace } from "../layout/canvas-layout";
import { type Guide, type Snap, snapped } from "../layout/snap";
import { IN_Y } from "../model/card";
import { ancestors, graphOf, type Point } from "../model/graph";
import { type Box, bounds, GRID, meet, placementOf } from "../model/place";
import { portMeant } from "../model/port";
import { useOverlay } from "../run/overlay";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import { type Acts, type Joint, useActs } from "./acts";
import {
  type CanvasFlowNode,
  compositeOf,
  connected,
  END,
  FlowNodes,
  IN,
  type LineEdge,
  portOf,
  START,
} from "./flow-nodes";
import { FrameBody, NoteCard } from "./frame-node";
import styles from "./ground.module.css";
import { DRAGGED_KIND } from "./kind-list";
import { EdgeContext, Line } from "./line-edge";
import { type Detail, DetailContext, FAR_BELOW, FULL_FROM, NodeCard } from "./node-card";
import { extent } from "./paint";
import { FarView } from "./painted";
import { useBring } from "./use-sight";

const NODE_TYPES = { card: NodeCard, note: NoteCard, frame: FrameBody };
const EDGE_TYPES = { line: Line };
const NO_NODES: CanvasFlowNode[] = [];
const NO_EDGES: LineEdge[] = [];
const MAIN_KEYS = ["Meta", "Control"];
const MIDDLE_BUTTON = [1];
const OPTIONS = { hideAttribution: true };
const SNAP: [number, number] = [GRID, GRID];
const MIN_ZOOM = 0.05;
/** As far as a step of the grid can be beside a neighbour: none is passed by without a halt. */
const SNAP_REACH = GRID / 2;
const NO_SNAP: Snap = { by: { x: 0, y: 0 }, guides: [] };
/** Room around all of a canvas at first, and around some nodes of it. */
const MARGINS = { all: 0.12, some: 0.2 };

export type Ask = { readonly place: Point; readonly screen: Point; readonly joint?: Joint };

type Props = {
  isHand: boolean;
  /** Nothing snaps: neither to the grid nor to neighbours. */
  isFree: boolean;
  onAsk: (ask: Ask) => void;
  onOpen: () => void;
  /** What is to be seen first; nothing: all of it. */
  first?: readonly string[] | undefined;
};

/** The ground with the nodes on it: what is dragged, connected and looked at. */
export function Ground({ isHand, isFree, onAsk, onOpen, first }: Props) {
  const text = useText(canvasText);
  const store = useCanvasStore();
  const acts = useActs();
  const kinds = useKinds();
  const flow = useReactFlow<CanvasFlowNode, LineEdge>();
  const root = useCanvas((state) => state.root);
  const selection = useCanvas((state) => state.selection);
  const chosenEdges = useCanvas((state) => state.edges);
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  const graph = graphOf(root);
  const [maker] = useState(() => new FlowNodes());
  const base = useMemo(() => maker.nodes(graph, selection), [maker, graph, selection]);
  const edges = useMemo(() => maker.edges(graph, chosenEdges), [maker, graph, chosenEdges]);
  const [drag, setDrag] = useState<Drag>();
  const nodes = useMemo(
    () =>
      drag
        ? base.map((node) => {
            const position = drag.places.get(node.id);
            return position ? { ...node, position, dragging: true } : node;
          })
        : [...base],
    [base, drag],
  );
  const bring = useBring();
  const [isPlaced, setPlaced] = useState(false);
  const detail = useDetail();
  const isFar = detail === "far";
  // Nodes come once the view is where it begins: else all would be made to be thrown away again
  // where it begins so far away that they are painted.
  const place = () => {
    const nodes = first ?? firstSeen(graph);
    bring({ nodes, padding: first ? MARGINS.some : MARGINS.all });
    setPlaced(true);
  };
  const isDrawn = isPlaced && !isFar;
  const dragged = useRef<ReadonlyMap<string, Point>>(undefined);
  const { pointing } = useAppearance();
  const sized = useStoreApi();
  const free = useRef(isFree);
  free.current = isFree;

  const onNodesChange = useCallback(
    (changes: NodeChange<CanvasFlowNode>[]) => {
      const moves = changes.flatMap((each) =>
        each.type === "position" && each.position && each.dragging
          ? [{ id: each.id, position: each.position }]
          : [],
      );
      if (moves.length > 0) {
        const now = graphOf(store.getState().root);
        const { by, guides } = free.current
          ? NO_SNAP
          : snapOf(now, moves, seenBox(sized.getState()));
        const places = carried(
          now,
          moves.map(({ id, position: { x, y } }) => ({
            id,
            position: { x: x + by.x, y: y + by.y },
          })),
        );
        dragged.current = places;
        setDrag({ places, guides });
      }
      const picks = changes.flatMap((each) => (each.type === "select" ? [each] : []));
      if (picks.length === 0) return;
      const { selection: old, edges: lines, select } = store.getState();
      const chosen = new Set(old);
      for (const { id, selected } of picks) {
        if (compositeOf(id)) continue;
        if (selected) chosen.add(id);
        else chosen.delete(id);
      }
      select(chosen, lines);
    },
    [store, sized],
  );

  const dropDrag = useCallback(() => {
    const moved = dragged.current;
    dragged.current = undefined;
    setDrag(undefined);
    if (moved) acts.move(placesOf(graphOf(store.getState().root), moved));
  }, [store, acts]);

  const edgeActs = useMemo(() => edgeActsOf(acts, flow, onAsk), [acts, flow, onAsk]);
  const overlay = useOverlay();
  const isTaken = useMemo(() => {
    if (!overlay) return () => undefined;
    const by = new Map(graph.edges.map((each) => [each.key, each]));
    return (key: string) => {
      const edge = by.get(key);
      const from = edge && overlay.marks.get(edge.source);
      const source = edge && graph.nodes.get(edge.source);
      if (!edge || !from || !source) return false;
      const isChosen =
        !from.port || portMeant(source, edge.sourcePort) === portMeant(source, from.port);
      return (
        isChosen && from.ended > 0 && (overlay.marks.has(edge.target) || edge.target === edge.scope)
      );
    };
  }, [overlay, graph]);
  const edgeContext = useMemo(
    () => (isReadOnly ? undefined : { ...edgeActs, isTaken }),
    [edgeActs, isTaken, isReadOnly],
  );

  // The same functions from step to step: with new ones the library would draw all lines again.
  const hands = useMemo(() => {
    const graphNow = () => graphOf(store.getState().root);
    /** Asks what is to follow a port. */
    const askAt = (id: string, handle: string | null | undefined, screen: Point): void => {
      if (handle === IN || handle === END) return;
      const composite = compositeOf(id);
      const joint: Joint =
        composite && handle === START
          ? { kind: "first", composite }
          : { kind: "after", id, port: portOf(handle) };
      onAsk({ place: flow.screenToFlowPosition(screen), screen, joint });
    };
    const met = ({ source, sourceHandle, target, targetHandle }: Connection | LineEdge) =>
      connected(
        graphNow(),
        { id: source, handle: sourceHandle ?? null },
        { id: target, handle: targetHandle ?? null },
      );
    return {
      onEdgesChange(changes: EdgeChange<LineEdge>[]): void {
        const { selection: nodesChosen, edges: old, select } = store.getState();
        const lines = new Set(old);
        for (const each of changes) {
          if (each.type !== "select") continue;
          if (each.selected) lines.add(each.id);
          else lines.delete(each.id);
        }
        select(nodesChosen, lines);
      },
      onNodeClick(event: MouseEvent, node: CanvasFlowNode): void {
        if (event.shiftKey || event.metaKey || event.ctrlKey) return;
        const handle = portAt(event.target);
        if (handle !== undefined) {
          if (!isReadOnly) askAt(node.id, handle, { x: event.clientX, y: event.clientY });
          return;
        }
        const id = compositeOf(node.id);
        if (id) store.getState().select([id]);
        onOpen();
      },
      onPaneClick: () => store.getState().select([]),
      onConnect(connection: Connection): void {
        const found = met(connection);
        if (typeof found === "string") toast(text.refusals[found]);
        else acts.connect(found);
      },
      isValidConnection: (each: Connection | LineEdge) => typeof met(each) !== "string",
      onConnectEnd: (event: globalThis.MouseEvent | TouchEvent, state: FinalConnectionState) => {
        const from = state.fromNode;
        if (state.isValid || !from) return;
        if (state.toNode && state.toHandle) {
          const found = connected(
            graphNow(),
            { id: from.id, handle: state.fromHandle?.id },
            { id: state.toNode.id, handle: state.toHandle.id },
          );
          if (typeof found === "string") toast(text.refusals[found]);
          return;
        }
        const at = "changedTouches" in event ? event.changedTouches[0] : event;
        if (at) askAt(from.id, state.fromHandle?.id, { x: at.clientX, y: at.clientY });
      },
      onReconnect(old: LineEdge, next: Connection): void {
        const found = met(next);
        if (typeof found === "string") toast(text.refusals[found]);
        else acts.reconnect(old.id, found);
      },
      onDoubleClick(event: MouseEvent): void {
        const target = event.target;
        if (isReadOnly || !(target instanceof Element)) return;
        if (!target.classList.contains("react-flow__pane")) return;
        const screen = { x: event.clientX, y: event.clientY };
        onAsk({ place: flow.screenToFlowPosition(screen), screen });
      },
      onDragOver(event: DragEvent): void {
        if (event.dataTransfer.types.includes(DRAGGED_KIND)) event.preventDefault();
      },
      onDrop(event: DragEvent): void {
        const kind = kinds.get(event.dataTransfer.getData(DRAGGED_KIND));
        if (!kind) return;
        event.preventDefault();
        const place = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
        const line = document
          .elementFromPoint(event.clientX, event.clientY)
          ?.closest(".react-flow__edge")
          ?.getAttribute("data-id");
        acts.add(kind, place, line ? { kind: "edge", key: line } : undefined);
        onOpen();
      },
    };
  }, [store, acts, flow, text, kinds, isReadOnly, onAsk, onOpen]);

  return (
    <DetailContext value={detail}>
      <EdgeContext value={edgeContext}>
        <ReactFlow<CanvasFlowNode, LineEdge>
          className={styles.ground}
          nodes={isDrawn ? nodes : NO_NODES}
          edges={isDrawn ? edges : NO_EDGES}
          onInit={place}
          nodeTypes={NODE_TYPES}
          edgeTypes={EDGE_TYPES}
          onNodesChange={onNodesChange}
          {...hands}
          onNodeDragStop={dropDrag}
          onSelectionDragStop={dropDrag}
          nodesDraggable={!isReadOnly}
          nodesConnectable={!isReadOnly}
          connectOnClick={false}
          edgesReconnectable={!isReadOnly}
          nodesFocusable={false}
          edgesFocusable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          selectionKeyCode="Shift"
          multiSelectionKeyCode={MAIN_KEYS}
          selectionMode={SelectionMode.Partial}
          selectionOnDrag={!isHand}
          panOnDrag={isHand ? true : MIDDLE_BUTTON}
          panOnScroll={pointing === "trackpad"}
          zoomOnDoubleClick={false}
          zoomActivationKeyCode={MAIN_KEYS}
          minZoom={MIN_ZOOM}
          maxZoom={2}
          snapToGrid={!isFree}
          snapGrid={SNAP}
          connectionRadius={28}
          onlyRenderVisibleElements
          elevateNodesOnSelect={false}
          proOptions={OPTIONS}
        >
          {isFar ? <FarView /> : <Dots />}
          {drag && drag.guides.length > 0 && <Guides guides={drag.guides} />}
          <svg className={styles.defs} aria-hidden="true">
            <defs>
              <marker
                id="canvas-arrow"
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto"
              >
                <path d="M0 0.5 8 4 0 7.5Z" className={styles.arrow} />
              </marker>
            </defs>
          </svg>
        </ReactFlow>
      </EdgeContext>
    </DetailContext>
  );
}

type Drag = {
  readonly places: ReadonlyMap<string, Point>;
  /** What the dragged stands in line with. */
  readonly guides: readonly Guide[];
};

function Guides({ guides }: { guides: readonly Guide[] }) {
  return (
    <ViewportPortal>
      <svg className={styles.guides} aria-hidden="true">
        {guides.map(({ axis, at, from, to }) => (
          <line
            key={axis}
            {...(axis === "x"
              ? { x1: at, x2: at, y1: from, y2: to }
              : { x1: from, x2: to, y1: at, y2: at })}
          />
        ))}
      </svg>
    </ViewportPortal>
  );
}

type Move = { readonly id: string; readonly position: Point };

/** Brings what is dragged in line with the nodes of its scope that can be seen. */
function snapOf(graph: ReturnType<typeof graphOf>, moves: readonly Move[], seen: Box): Snap {
  const { cards } = placementOf(graph);
  const moved = new Map(moves.map((each) => [each.id, each.position]));
  const own = [...moved].flatMap(([id, position]) => {
    const box = cards.get(id)?.box;
    return box ? [{ ...box, ...position }] : [];
  });
  const scopes = new Set([...moved.keys()].map((id) => graph.nodes.get(id)?.scope));
  if (own.length === 0 || scopes.size > 1) return NO_SNAP;
  const others = [...cards.values()].flatMap(({ node, box }) =>
    !moved.has(node.id) && scopes.has(node.scope) && meet(box, seen) ? [box] : [],
  );
  return snapped(bounds(own), others, SNAP_REACH);
}

type Sized = { transform: readonly [number, number, number]; width: number; height: number };

/** The part of the ground that can be seen. */
function seenBox({ transform: [x, y, zoom], width, height }: Sized): Box {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}

/** The port of a node that was clicked; undefined: something else of it was. */
function portAt(target: EventTarget): string | null | undefined {
  const handle = target instanceof Element && target.closest(".react-flow__handle.source");
  return handle ? handle.getAttribute("data-handleid") : undefined;
}

/** All of it; of what is too wide to be seen at all, as some imported files are, where it begins. */
function firstSeen(graph: ReturnType<typeof graphOf>): readonly string[] | undefined {
  const placement = placementOf(graph);
  const [first] = placement.cards.keys();
  const { width, height } = extent(placement);
  const isTooFar = width * MIN_ZOOM > innerWidth || height * MIN_ZOOM > innerHeight;
  return first !== undefined && isTooFar ? [first] : undefined;
}

function Dots() {
  return (
    <Background
      variant={BackgroundVariant.Dots}
      gap={20}
      size={1.5}
      className={styles.dots ?? ""}
    />
  );
}

/** How much is drawn at the zoom; a little late on the way back, so that nothing flickers. */
function useDetail(): Detail {
  const isFull = useStore((state) => state.transform[2] >= FULL_FROM);
  const isNear = useStore((state) => state.transform[2] >= FAR_BELOW);
  return isFull ? "full" : isNear ? "light" : "far";
}

/** Moves of the view, with the bodies of composites and what is in them carried along. */
function carried(
  graph: ReturnType<typeof graphOf>,
  moves: readonly { id: string; position: Point }[],
): ReadonlyMap<string, Point> {
  const { cards, frames } = placementOf(graph);
  const places = new Map<string, Point>(moves.map((each) => [each.id, each.position]));
  for (const { id, position } of moves) {
    const composite = compositeOf(id);
    const owner = composite ?? id;
    const from = composite ? frames.get(composite)?.box : cards.get(id)?.box;
    if (!from || !frames.has(owner)) continue;
    const by = { x: position.x - from.x, y: position.y - from.y };
    for (const [inner, { box, node }] of cards) {
      if (!ancestors(graph, node.id).includes(owner) || places.has(inner)) continue;
      places.set(inner, { x: box.x + by.x, y: box.y + by.y });
    }
    for (const [inner, { box }] of frames) {
      const isIn = inner === owner || ancestors(graph, inner).includes(owner);
      const key = `${inner}#body`;
      if (isIn && !places.has(key)) places.set(key, { x: box.x + by.x, y: box.y + by.y });
    }
  }
  return places;
}

/** Places of the text for what was dragged; what is carried along has none of its own. */
function placesOf(
  graph: ReturnType<typeof graphOf>,
  moved: ReadonlyMap<string, Point>,
): ReadonlyMap<string, NodePlace> {
  const { cards, frames } = placementOf(graph);
  const places = new Map<string, NodePlace>();
  for (const [key, corner] of moved) {
    const composite = compositeOf(key);
    const node = graph.nodes.get(composite ?? key);
    if (!node || ancestors(graph, node.id).some((each) => moved.has(`${each}#body`))) continue;
    const from = composite ? frames.get(composite)?.box : cards.get(key)?.box;
    if (!from) continue;
    const by = { x: Math.round(corner.x - from.x), y: Math.round(corner.y - from.y) };
    const old = places.get(node.id);
    const body = node.body ?? bodyOf(graph, node.id);
    if (composite) {
      const moves = body && { x: body.x + by.x, y: body.y + by.y };
      if (moves) places.set(node.id, { position: old?.position ?? node, body: moves });
    } else {
      const position = { x: node.x + by.x, y: node.y + by.y };
      places.set(node.id, old?.body ? { position, body: old.body } : { position });
    }
  }
  return places;
}

function bodyOf(graph: ReturnType<typeof graphOf>, id: string): Point | undefined {
  const { frames } = placementOf(graph);
  const origin = frames.get(id)?.origin;
  const outer = frames.get(graph.nodes.get(id)?.scope ?? "")?.origin ?? { x: 0, y: 0 };
  return origin && { x: origin.x - outer.x, y: origin.y - outer.y };
}

function edgeActsOf(
  acts: Acts,
  flow: ReturnType<typeof useReactFlow<CanvasFlowNode, LineEdge>>,
  onAsk: (ask: Ask) => void,
) {
  return {
    onRemove: (key: string) => acts.disconnect(key),
    onInsert: (key: string, x: number, y: number) =>
      onAsk({
        place: { x, y: y - IN_Y },
        screen: flow.flowToScreenPosition({ x, y }),
        joint: { kind: "edge", key },
      }),
  };
}
