import { useReactFlow, useStore } from "@xyflow/react";
import { use, useEffect, useRef } from "react";
import { useText } from "../../text/catalogue";
import { MarksContext } from "../compare/marks";
import { graphOf } from "../model/graph";
import { placementOf } from "../model/place";
import { useOverlay } from "../run/overlay";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import { coloursOf, extent, hit, paint, type Scene } from "./paint";
import styles from "./painted.module.css";
import { useZoom } from "./use-sight";

function useScene(): Scene {
  const root = useCanvas((state) => state.root);
  const selection = useCanvas((state) => state.selection);
  const overlay = useOverlay();
  const marks = use(MarksContext);
  const graph = graphOf(root);
  return {
    graph,
    placement: placementOf(graph),
    selection,
    stateOf: (id) => overlay?.marks.get(id)?.state ?? marks?.nodes.get(id),
  };
}

function prepared(canvas: HTMLCanvasElement | null): CanvasRenderingContext2D | undefined {
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return undefined;
  const scale = Math.min(devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== width * scale || canvas.height !== height * scale) {
    canvas.width = width * scale;
    canvas.height = height * scale;
  }
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** The canvas from so far away that nodes are spots: one picture instead of hundreds of elements. */
export function FarView() {
  const text = useText(canvasText);
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useScene();
  const store = useCanvasStore();
  const flow = useReactFlow();
  const { centre } = useZoom();
  const [x, y, zoom] = useStore((state) => state.transform);
  useEffect(() => {
    const element = canvas.current;
    const context = prepared(element);
    if (element && context) paint(context, scene, { x, y, zoom }, coloursOf(element));
  });
  return (
    <canvas
      ref={canvas}
      className={styles.far}
      aria-label={text.minimap}
      onClick={(event) => {
        const point = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
        const id = hit(scene.placement, point.x, point.y, 4 / zoom);
        store.getState().select(id ? [id] : []);
      }}
      onDoubleClick={(event) => {
        const point = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
        centre(point, 0.8);
      }}
    />
  );
}

const MAP = { width: 200, height: 132, margin: 8 };
const PAUSE_MS = 100;

/** All of the canvas small, with the part that is in sight; a click goes there. */
export function MiniMap() {
  const text = useText(canvasText);
  const canvas = useRef<HTMLCanvasElement>(null);
  const scene = useScene();
  const { centre } = useZoom();
  const [x, y, zoom] = useStore((state) => state.transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const painted = useRef(0);
  const box = extent(scene.placement);
  const scale = Math.min(
    (MAP.width - 2 * MAP.margin) / Math.max(box.width, 1),
    (MAP.height - 2 * MAP.margin) / Math.max(box.height, 1),
    0.2,
  );
  const sight = {
    zoom: scale,
    x: (MAP.width - box.width * scale) / 2 - box.x * scale,
    y: (MAP.height - box.height * scale) / 2 - box.y * scale,
  };
  useEffect(() => {
    const timer = setTimeout(
      () => {
        const element = canvas.current;
        const context = prepared(element);
        if (!element || !context) return;
        painted.current = performance.now();
        const colours = coloursOf(element);
        paint(context, scene, sight, colours);
        context.strokeStyle = colours.chosen;
        context.lineWidth = 1.5;
        context.strokeRect(
          (-x / zoom) * scale + sight.x,
          (-y / zoom) * scale + sight.y,
          (width / zoom) * scale,
          (height / zoom) * scale,
        );
      },
      Math.max(0, PAUSE_MS - (performance.now() - painted.current)),
    );
    return () => clearTimeout(timer);
  });
  return (
    <canvas
      ref={canvas}
      className={styles.map}
      role="img"
      aria-label={text.minimap}
      onClick={(event) => {
        const rect = event.currentTarget.getBoundingClientRect();
        const place = {
          x: (event.clientX - rect.left - sight.x) / scale,
          y: (event.clientY - rect.top - sight.y) / scale,
        };
        centre(place, zoom);
      }}
    />
  );
}
