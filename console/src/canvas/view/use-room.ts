import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { graphOf } from "../model/graph";
import { type Box, placementOf } from "../model/place";
import { useCanvas, useCanvasStore } from "../store";
import { extent } from "./paint";

/** Screen pixels between the outermost nodes and the border of what can be seen. */
const MARGIN = 24;

type Size = { readonly width: number; readonly height: number };
type Sight = { readonly x: number; readonly y: number; readonly zoom: number };

/**
 * Keeps all nodes in sight where a panel takes room from a canvas that was seen as a whole, and
 * goes back once the panel is closed. Beside the form of a node that node alone is kept in sight;
 * and who looks at a part of the canvas keeps the place.
 */
export function useRoom(): void {
  const flow = useReactFlow();
  const store = useCanvasStore();
  const isBeside = useCanvas(({ panel }) => panel !== "" && panel !== "node");
  const isAlone = useCanvas(({ panel }) => panel === "");
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const free = useRef<Size>({ width, height });
  const wasAlone = useRef(true);
  const moved = useRef<{ readonly from: Sight; readonly to: Sight }>(undefined);
  useEffect(() => {
    const now = flow.getViewport();
    // The panel goes a moment before its room is there again.
    const isSettled = wasAlone.current || width >= free.current.width;
    wasAlone.current = isAlone;
    if (isAlone && isSettled) {
      free.current = { width, height };
      const way = moved.current;
      moved.current = undefined;
      if (way && isSame(way.to, now)) void flow.setViewport(way.from);
      return;
    }
    if (!isBeside) return;
    const placement = placementOf(graphOf(store.getState().root));
    const box = extent(placement);
    if (placement.cards.size === 0 || !isSeen(box, now, free.current)) return;
    const next = withRoom(box, now, { width, height });
    if (!next) return;
    moved.current = { from: moved.current?.from ?? now, to: next };
    void flow.setViewport(next);
  }, [isBeside, isAlone, width, height, flow, store]);
}

/** Where to look from so that everything is seen in less room; nothing where it is seen already. */
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
  return {
    x: (room.width - box.width * smaller) / 2 - box.x * smaller,
    y: (room.height - box.height * smaller) / 2 - box.y * smaller,
    zoom: smaller,
  };
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
