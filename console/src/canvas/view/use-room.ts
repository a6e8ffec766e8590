import { useStore as useFlowStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { graphOf } from "../model/graph";
import { type Box, bounds, type Placement, placementOf } from "../model/place";
import { useRunControl } from "../run/run-store";
import { useCanvas, useCanvasStore } from "../store";
import { FAR_BELOW } from "./node-card";
import { extent } from "./paint";
import { centred, MARGIN, type Sight, type Size, useSight } from "./use-sight";

/** What a panel is to leave in sight, and from where that is looked at. */
type Kept = { readonly box: Box; readonly at: Sight };

/**
 * Keeps in sight what was seen where a panel takes room from the canvas, and goes back once the
 * panel is closed. Beside the form of a node that node alone is kept in sight. A run that has ended
 * brings the nodes that it went through into sight, unless somebody moved the view meanwhile.
 */
export function useRoom(hasPalette: boolean): void {
  const { now: sightNow, go } = useSight();
  const store = useCanvasStore();
  const panel = useCanvas((state) => state.panel);
  const isBeside = hasPalette || (panel !== "" && panel !== "node");
  const isAlone = panel === "" && !hasPalette;
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const free = useRef<Size>({ width, height });
  const last = useRef<Size>({ width, height });
  const wasAlone = useRef(true);
  const kept = useRef<Kept>(undefined);
  const moved = useRef<{ readonly from: Sight; readonly to: Sight }>(undefined);
  useEffect(() => {
    const now = sightNow();
    const before = last.current;
    last.current = { width, height };
    // The panel goes a moment before its room is there again.
    const isSettled = wasAlone.current || width >= free.current.width;
    wasAlone.current = isAlone;
    if (isAlone && isSettled) {
      free.current = { width, height };
      kept.current = undefined;
      const way = moved.current;
      moved.current = undefined;
      if (way && isSame(way.to, now)) go(way.from);
      return;
    }
    if (!isBeside) return;
    const isMoved = kept.current === undefined || !isSame(kept.current.at, now);
    const box = isMoved
      ? seen(placementNow(store.getState().root), now, before)
      : kept.current?.box;
    if (!box) return;
    kept.current = { box, at: now };
    if (width >= before.width && height >= before.height) return;
    const next = withRoom(box, now, { width, height });
    if (!next) return;
    kept.current = { box, at: next };
    moved.current = { from: moved.current?.from ?? now, to: next };
    go(next);
  }, [isBeside, isAlone, width, height, sightNow, go, store]);

  const { store: runs } = useRunControl();
  const runId = useStore(runs, (state) => state.runId);
  const isOver = useStore(runs, ({ view }) => view !== undefined && view.phase !== "running");
  const begun = useRef<Sight>(undefined);
  useEffect(() => {
    begun.current = runId ? sightNow() : undefined;
  }, [runId, sightNow]);
  useEffect(() => {
    const now = sightNow();
    const isLooking = panel === "run" && begun.current && !isSame(begun.current, now);
    if (!isOver || isLooking || (panel !== "run" && panel !== "runs")) return;
    const { cards } = placementNow(store.getState().root);
    const path = [...(runs.getState().view?.marks.keys() ?? [])];
    const boxes = path.flatMap((id) => cards.get(id)?.box ?? []);
    if (boxes.length === 0) return;
    const box = bounds(boxes);
    const next = withRoom(box, now, last.current);
    // So far away that no name can be read: the list of steps says more.
    if (!next || next.zoom < Math.min(now.zoom, FAR_BELOW)) return;
    moved.current = { from: moved.current?.from ?? now, to: next };
    kept.current = { box, at: next };
    go(next);
  }, [isOver, panel, sightNow, go, store, runs]);
}

function placementNow(root: Parameters<typeof graphOf>[0]): Placement {
  return placementOf(graphOf(root));
}

/** What is seen whole: all of the canvas, or the cards of it that are; nothing where none is. */
function seen(placement: Placement, sight: Sight, room: Size): Box | undefined {
  const all = extent(placement);
  if (placement.cards.size > 0 && isSeen(all, sight, room)) return all;
  const boxes = [...placement.cards.values()].map(({ box }) => box);
  const inSight = boxes.filter((box) => isSeen(box, sight, room));
  return inSight.length > 0 ? bounds(inSight) : undefined;
}

/** Where to look from so that a box is seen in the room; nothing where it is seen already. */
function withRoom(box: Box, { x, y, zoom }: Sight, room: Size): Sight | undefined {
  const across = near(box.x * zoom + x, box.width * zoom, room.width);
  const down = near(box.y * zoom + y, box.height * zoom, room.height);
  if (across === 0 && down === 0) return undefined;
  if (across !== undefined && down !== undefined) return { x: x + across, y: y + down, zoom };
  const smaller = Math.min(
    zoom,
    Math.max(room.width - 2 * MARGIN, 1) / box.width,
    Math.max(room.height - 2 * MARGIN, 1) / box.height,
  );
  return centred(box, smaller, room);
}

/** The least way into sight; nothing where it is too large for that. */
function near(from: number, length: number, room: number): number | undefined {
  if (length > room - 2 * MARGIN) return undefined;
  if (from < MARGIN) return MARGIN - from;
  return Math.min(0, room - MARGIN - from - length);
}

function isSeen(box: Box, { x, y, zoom }: Sight, room: Size): boolean {
  return (
    box.x * zoom + x >= 0 &&
    box.y * zoom + y >= 0 &&
    (box.x + box.width) * zoom + x <= room.width &&
    (box.y + box.height) * zoom + y <= room.height
  );
}

function isSame(one: Sight, other: Sight): boolean {
  return one.x === other.x && one.y === other.y && one.zoom === other.zoom;
}
