import { useReactFlow } from "@xyflow/react";
import { useEffect, useEffectEvent, useRef } from "react";
import { hasLetters } from "../../session/appearance";
import { useKeyedPart } from "../../ui/page/keyed-parts";
import { type Graph, graphOf, type Placed } from "../model/graph";
import { ENTRY, EXIT } from "../model/kind";
import { placementOf } from "../model/place";
import { portToFollow } from "../model/port";
import { useCanvasStore } from "../store";
import { type Acts, useActs, useLayOut } from "./acts";
import type { Ask } from "./ground";
import { useBring, useReveal, useZoom } from "./use-sight";

const STEP = 10;
const LEAP = 50;

type Hands = {
  readonly frame: React.RefObject<HTMLElement | null>;
  readonly onAsk: (ask: Ask) => void;
  readonly onTogglePalette: () => void;
  readonly onHand: (isHand: boolean) => void;
  readonly onMap: () => void;
  readonly onRun: () => void;
  readonly onRunNode: () => void;
  readonly onSave: () => void;
  readonly onOutline: () => void;
  readonly onFind: () => void;
  readonly onProblem: (step: 1 | -1) => void;
  readonly onConnect: () => void;
};

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The keys of the canvas; letters act outside of fields alone. */
export function useKeys(hands: Hands): void {
  useKeyedPart("canvas");
  const store = useCanvasStore();
  const flow = useReactFlow();
  const acts = useActs();
  const reveal = useReveal();
  const bring = useBring();
  const layOut = useLayOut();
  const zoom = useZoom();

  const onKey = useEffectEvent((event: KeyboardEvent): boolean => {
    const target = event.target;
    if (!(target instanceof HTMLElement)) return false;
    if (target.closest("[role=dialog], [role=alertdialog], [role=menu]")) return false;
    const isTyping = target.closest("input, textarea, select, [contenteditable=true]") !== null;
    const isMain = event.metaKey || event.ctrlKey;
    if (isMain) return chord(event, isTyping);
    if (event.key === "F8") {
      hands.onProblem(event.shiftKey ? -1 : 1);
      return true;
    }
    const isOnGround = hands.frame.current?.contains(target) || target === document.body;
    // A button that has the focus is pressed.
    if (target.closest("button") && (event.key === " " || event.key === "Enter")) return false;
    if (isTyping || !isOnGround || event.altKey) return false;
    if (/^\S$/u.test(event.key) && !hasLetters()) return false;
    return letter(event);
  });

  /** Whether Space is down and nothing was dragged since: held, it moves the view. */
  const isTapped = useRef(false);
  const onTap = useEffectEvent(ask);

  function chord(event: KeyboardEvent, isTyping: boolean): boolean {
    const key = event.key.toLowerCase();
    const isShifted = event.shiftKey;
    if (key === "s") hands.onSave();
    else if (key === "enter" && isShifted) hands.onRunNode();
    else if (key === "enter") hands.onRun();
    else if (key === "o" && isShifted) hands.onOutline();
    else if (isTyping) return false;
    else if (key === "z" && isShifted) acts.redo();
    else if (key === "z") acts.undo();
    else if (key === "y") acts.redo();
    else if (key === "a") acts.selectAll();
    else if (key === "d") acts.duplicate();
    else if (key === "l" && isShifted) layOut();
    else if (key === "0") bring({ padding: 0.1 });
    else if (key === "1") zoom.full();
    else if (key === "=" || key === "+") zoom.near();
    else if (key === "-") zoom.away();
    else return false;
    if (key === "z" || key === "y") reveal(store.getState().selection);
    return true;
  }

  function letter(event: KeyboardEvent): boolean {
    const { selection, root, select, open, isReadOnly } = store.getState();
    const arrow = ARROWS[event.key];
    const graph = graphOf(root);
    const [only] = selection;
    const single = selection.size === 1 && only ? graph.nodes.get(only) : undefined;
    if (arrow) {
      const isMoving = selection.size > 1 || event.shiftKey || isMoveMode;
      if (isMoving && !isReadOnly) {
        const by = event.shiftKey ? LEAP : STEP;
        acts.moveBy(arrow[0] * by, arrow[1] * by);
        return true;
      }
      const next = single ? neighbour(graph, single, arrow) : endOf(graph, ENTRY);
      if (next) {
        select([next.id]);
        reveal([next.id]);
      }
      return true;
    }
    switch (event.key) {
      case "Home":
      case "End": {
        const end = endOf(graph, event.key === "Home" ? ENTRY : EXIT);
        if (end) {
          select([end.id]);
          reveal([end.id]);
        }
        return true;
      }
      case "Enter":
        if (!single) return false;
        open("node");
        return true;
      case "Escape":
        isMoveMode = false;
        if (store.getState().panel) open("");
        else select([]);
        return true;
      case "Delete":
      case "Backspace":
        acts.remove(!event.shiftKey);
        return true;
      case " ":
        isTapped.current = !event.repeat || isTapped.current;
        return true;
      case "a":
        ask();
        return true;
      case "c":
        if (single && !isReadOnly) hands.onConnect();
        return true;
      case "m":
        if (single && !isReadOnly) isMoveMode = !isMoveMode;
        else hands.onMap();
        return true;
      case "n":
        hands.onTogglePalette();
        return true;
      case "v":
      case "h":
        hands.onHand(event.key === "h");
        return true;
      case "f":
        hands.onFind();
        return true;
      default:
        return false;
    }
  }

  /** Asks what is to be added, behind the node that is chosen where there is one. */
  function ask(): void {
    const { selection, root, isReadOnly } = store.getState();
    const graph = graphOf(root);
    const [only] = selection;
    const single = selection.size === 1 && only ? graph.nodes.get(only) : undefined;
    if (!isReadOnly) hands.onAsk(askAt(graph, single));
  }

  function askAt(graph: Graph, node: Placed | undefined): Ask {
    const placed = node && placementOf(graph).cards.get(node.id);
    const rect = hands.frame.current?.getBoundingClientRect();
    const middle = {
      x: (rect?.left ?? 0) + (rect?.width ?? 0) / 2,
      y: (rect?.top ?? 0) + (rect?.height ?? 0) / 3,
    };
    if (!placed) return { place: flow.screenToFlowPosition(middle), screen: middle };
    const { box } = placed;
    const port = portToFollow(graph, placed.node);
    const place = { x: box.x + box.width + 260, y: box.y };
    const corner = flow.flowToScreenPosition({ x: box.x + box.width + 16, y: box.y });
    return port
      ? { place, screen: corner, joint: { kind: "after", id: placed.node.id, port: port.id } }
      : { place, screen: corner };
  }

  useEffect(() => {
    function listen(event: KeyboardEvent): void {
      if (!event.defaultPrevented && onKey(event)) event.preventDefault();
    }
    function release(event: KeyboardEvent): void {
      if (event.key !== " " || !isTapped.current) return;
      isTapped.current = false;
      onTap();
    }
    const drag = () => {
      isTapped.current = false;
    };
    document.addEventListener("keydown", listen, true);
    document.addEventListener("keyup", release, true);
    document.addEventListener("pointerdown", drag, true);
    return () => {
      document.removeEventListener("keydown", listen, true);
      document.removeEventListener("keyup", release, true);
      document.removeEventListener("pointerdown", drag, true);
    };
  }, []);
  useClipboard(acts, hands.frame);
}

/** Whether arrows move the chosen node instead of going to its neighbours. */
let isMoveMode = false;

function endOf(graph: Graph, type: string): Placed | undefined {
  return [...graph.nodes.values()].find((each) => each.type === type && !each.scope);
}

/** Where an arrow leads: along the edges sideways, to what lies beside it up and down. */
function neighbour(
  graph: Graph,
  node: Placed,
  [x, y]: readonly [number, number],
): Placed | undefined {
  if (x > 0) return first(graph, node.id, "source", "target");
  if (x < 0) return first(graph, node.id, "target", "source");
  const siblings = [...graph.nodes.values()]
    .filter((each) => each.scope === node.scope && Math.sign(each.y - node.y) === y)
    .sort((one, other) => distance(one, node) - distance(other, node));
  return siblings[0];
}

function first(graph: Graph, id: string, from: "source" | "target", to: "source" | "target") {
  const edge = graph.edges.find((each) => each[from] === id && each[to] !== id);
  return edge && graph.nodes.get(edge[to]);
}

function distance(one: Placed, other: Placed): number {
  return Math.abs(one.x - other.x) * 2 + Math.abs(one.y - other.y);
}

/** Copy, cut and paste as the browser has them, so that other windows can be pasted into. */
function useClipboard(acts: Acts, frame: React.RefObject<HTMLElement | null>): void {
  const flow = useReactFlow();
  const store = useCanvasStore();
  const onCopy = useEffectEvent((event: ClipboardEvent, isCut: boolean) => {
    if (!isOurs(event) || getSelection()?.toString()) return;
    const text = acts.copyText();
    if (!text) return;
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    if (isCut && !store.getState().isReadOnly) acts.remove(true);
  });
  const onPaste = useEffectEvent((event: ClipboardEvent, pointer: { x: number; y: number }) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!isOurs(event) || !text || store.getState().isReadOnly) return;
    event.preventDefault();
    acts.paste(text, flow.screenToFlowPosition(pointer));
  });
  function isOurs(event: ClipboardEvent): boolean {
    const target = event.target;
    if (!(target instanceof HTMLElement)) return false;
    if (target.closest("input, textarea, [contenteditable=true], [role=dialog]")) return false;
    return target === document.body || (frame.current?.contains(target) ?? false);
  }
  useEffect(() => {
    const rect = frame.current?.getBoundingClientRect();
    const pointer = {
      x: (rect?.left ?? 0) + (rect?.width ?? 0) / 2,
      y: (rect?.top ?? 0) + (rect?.height ?? 0) / 2,
    };
    const follow = (event: PointerEvent) => {
      pointer.x = event.clientX;
      pointer.y = event.clientY;
    };
    const copy = (event: ClipboardEvent) => onCopy(event, false);
    const cut = (event: ClipboardEvent) => onCopy(event, true);
    const paste = (event: ClipboardEvent) => onPaste(event, pointer);
    const element = frame.current;
    element?.addEventListener("pointermove", follow);
    document.addEventListener("copy", copy);
    document.addEventListener("cut", cut);
    document.addEventListener("paste", paste);
    return () => {
      element?.removeEventListener("pointermove", follow);
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", cut);
      document.removeEventListener("paste", paste);
    };
  }, [frame]);
}
