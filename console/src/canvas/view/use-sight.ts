import { getViewportForBounds, useReactFlow, useStoreApi } from "@xyflow/react";
import { useCallback, useMemo } from "react";
import { isStill } from "../../session/appearance";
import { graphOf, type Point } from "../model/graph";
import { type Box, bounds, placementOf } from "../model/place";
import { useCanvasStore } from "../store";
import { FULL_FROM } from "./node-card";
import { extent } from "./paint";

const NEAREST = 1;
/** Screen pixels between what is brought into sight and the border of what can be seen. */
export const MARGIN = 24;

/** Where a canvas is looked at from: the screen place of its origin, and how large it is drawn. */
export type Sight = { readonly x: number; readonly y: number; readonly zoom: number };
export type Size = { readonly width: number; readonly height: number };

type SightControl = {
  readonly now: () => Sight;
  readonly go: (to: Sight) => void;
};

/**
 * The view of the canvas, and the one way in which it is moved there: at once. A panel that opens
 * while the view is on its way breaks it off, and nobody knows any more what is to be in sight.
 */
export function useSight(): SightControl {
  const flow = useReactFlow();
  return useMemo(
    () => ({ now: () => flow.getViewport(), go: (to) => void flow.setViewport(to) }),
    [flow],
  );
}

/** As long as whatever else appears on the screen. */
const GLIDE_MS = 120;

type Zoom = {
  readonly near: () => void;
  readonly away: () => void;
  readonly full: () => void;
  readonly centre: (place: Point, zoom: number) => void;
};

/** Changes of the zoom, which glide; at once for whoever wants nothing to move. */
export function useZoom(): Zoom {
  const flow = useReactFlow();
  return useMemo(() => {
    const glide = () => ({ duration: isStill() ? 0 : GLIDE_MS });
    return {
      near: () => void flow.zoomIn(glide()),
      away: () => void flow.zoomOut(glide()),
      full: () => void flow.zoomTo(1, glide()),
      centre: ({ x, y }, zoom) => void flow.setCenter(x, y, { zoom, ...glide() }),
    };
  }, [flow]);
}

type Options = {
  /** These alone; else all. */
  readonly nodes?: readonly string[] | undefined;
  readonly padding: number;
};

/**
 * Brings nodes into sight. The library would wait for nodes of its own, which it has none of while
 * they are painted, and move the view when they come.
 */
export function useBring(): (options: Options) => void {
  const { go } = useSight();
  const sized = useStoreApi();
  const store = useCanvasStore();
  return useCallback(
    ({ nodes, padding }) => {
      const placement = placementOf(graphOf(store.getState().root));
      const boxes = nodes?.flatMap((id) => placement.cards.get(id)?.box ?? []) ?? [];
      const box = boxes.length > 0 ? bounds(boxes) : extent(placement);
      const { width, height, minZoom } = sized.getState();
      go(getViewportForBounds(box, width, height, minZoom, NEAREST, padding));
    },
    [go, sized, store],
  );
}

/** Brings a node into sight by the least movement, near enough to be read. */
export function useReveal(): (ids: Iterable<string>) => void {
  const { now, go } = useSight();
  const sized = useStoreApi();
  const store = useCanvasStore();
  return useCallback(
    (ids) => {
      const { cards } = placementOf(graphOf(store.getState().root));
      const [box] = [...ids].flatMap((id) => cards.get(id)?.box ?? []);
      if (!box) return;
      const sight = now();
      const { width, height } = sized.getState();
      const { x, y, zoom } = sight;
      if (zoom < FULL_FROM) {
        go(centred(box, FULL_FROM, { width, height }));
        return;
      }
      const left = box.x * zoom + x;
      const top = box.y * zoom + y;
      const dx = shift(left, left + box.width * zoom, width);
      const dy = shift(top, top + box.height * zoom, height);
      if (dx || dy) go({ x: x + dx, y: y + dy, zoom });
    },
    [now, go, sized, store],
  );
}

/** A box in the middle of the room. */
export function centred(box: Box, zoom: number, room: Size): Sight {
  return {
    x: (room.width - box.width * zoom) / 2 - box.x * zoom,
    y: (room.height - box.height * zoom) / 2 - box.y * zoom,
    zoom,
  };
}

function shift(from: number, to: number, size: number): number {
  if (from < MARGIN) return MARGIN - from;
  if (to > size - MARGIN) return Math.max(size - MARGIN - to, MARGIN - from);
  return 0;
}
