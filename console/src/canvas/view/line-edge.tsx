import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { Plus, X } from "lucide-react";
import { createContext, memo, use, useState } from "react";
import { useText } from "../../text/catalogue";
import { useEdgeState } from "../compare/marks";
import { useResults } from "../run/run-store";
import { shortText } from "../run/short-text";
import { canvasText } from "../text";
import type { LineEdge } from "./flow-nodes";
import styles from "./line-edge.module.css";
import { DetailContext } from "./node-card";

export type EdgeActs = {
  readonly onRemove: (key: string) => void;
  readonly onInsert: (key: string, x: number, y: number) => void;
  readonly isTaken: (key: string) => boolean | undefined;
};

/** What the node before a line gave in the run that is shown. */
function Carried({ source }: { source: string }) {
  const result = useResults(source).at(-1);
  const said = result ? shortText(result.output) : "";
  return said && said !== "{}" ? <span className={styles.carried}>{said}</span> : null;
}

export const EdgeContext = createContext<EdgeActs | undefined>(undefined);

/** A line of control between two nodes. */
export const Line = memo(function Line(props: EdgeProps<LineEdge>) {
  const {
    id,
    source,
    sourceX,
    sourceY,
    targetX,
    targetY,
    sourcePosition,
    targetPosition,
    selected,
  } = props;
  const text = useText(canvasText);
  const detail = use(DetailContext);
  const acts = use(EdgeContext);
  const [isOver, setOver] = useState(false);
  const [path, x, y] = getBezierPath({
    sourceX,
    sourceY,
    targetX,
    targetY,
    sourcePosition,
    targetPosition,
  });
  const isTaken = acts?.isTaken(id);
  const change = useEdgeState(id);
  return (
    <g
      className={styles.line}
      data-taken={isTaken}
      data-change={change}
      data-chosen={selected || undefined}
      onPointerEnter={() => setOver(true)}
      onPointerLeave={() => setOver(false)}
    >
      <BaseEdge
        path={path}
        interactionWidth={24}
        {...(detail === "full" ? { markerEnd: "url(#canvas-arrow)" } : {})}
      />
      {(isOver || selected) && acts && detail === "full" && (
        <EdgeLabelRenderer>
          <div
            className={styles.tools}
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
            onPointerEnter={() => setOver(true)}
            onPointerLeave={() => setOver(false)}
          >
            <button
              type="button"
              className={styles.tool}
              aria-label={text.insertHere}
              onClick={() => acts.onInsert(id, x, y)}
            >
              <Plus size={12} />
            </button>
            <button
              type="button"
              className={styles.tool}
              aria-label={text.removeEdge}
              onClick={() => acts.onRemove(id)}
            >
              <X size={12} />
            </button>
            <Carried source={source} />
          </div>
        </EdgeLabelRenderer>
      )}
    </g>
  );
});
