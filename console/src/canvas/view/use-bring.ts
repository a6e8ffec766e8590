import { getViewportForBounds, useReactFlow, useStoreApi } from "@xyflow/react";
import { useCallback } from "react";
import { graphOf } from "../model/graph";
import { bounds, placementOf } from "../model/place";
import { useCanvasStore } from "../store";
import { extent } from "./paint";

const NEAREST = 1;

type Options = {
  /** These alone; else all. */
  readonly nodes?: readonly string[] | undefined;
  readonly padding: number;
  readonly duration?: number;
};

/**
 * Brings nodes into sight. The library would wait for nodes of its own, which it has none of while
 * they are painted, and move the view when they come.
 */
export function useBring(): (options: Options) => void {
  const flow = useReactFlow();
  const sized = useStoreApi();
  const store = useCanvasStore();
  return useCallback(
    ({ nodes, padding, duration }) => {
      const placement = placementOf(graphOf(store.getState().root));
      const boxes = nodes?.flatMap((id) => placement.cards.get(id)?.box ?? []) ?? [];
      const box = boxes.length > 0 ? bounds(boxes) : extent(placement);
      const { width, height, minZoom } = sized.getState();
      const view = getViewportForBounds(box, width, height, minZoom, NEAREST, padding);
      void flow.setViewport(view, duration === undefined ? {} : { duration });
    },
    [flow, sized, store],
  );
}
