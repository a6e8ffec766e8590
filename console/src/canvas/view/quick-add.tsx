import { useEffect, useRef } from "react";
import type { NodeKind } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { graphOf } from "../model/graph";
import { BREAK, CONTINUE, isComposite, LOOP, NOTE, SET_VARIABLE } from "../model/kind";
import { placementOf, scopeAt } from "../model/place";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import type { Ask } from "./ground";
import { KindList, type KindListChoice } from "./kind-list";
import styles from "./quick-add.module.css";

const SIZE = { width: 300, height: 380 };

type Props = { ask: Ask; onChoose: KindListChoice; onClose: () => void };

/** A small palette at a place of the ground, with what may be put there. */
export function QuickAdd({ ask, onChoose, onClose }: Props) {
  const text = useText(canvasText);
  const frame = useRef<HTMLDivElement>(null);
  const scopeType = useCanvas(({ root }) => {
    const graph = graphOf(root);
    const { joint, place } = ask;
    const scope =
      joint?.kind === "after"
        ? graph.nodes.get(joint.id)?.scope
        : joint?.kind === "first"
          ? joint.composite
          : joint?.kind === "edge"
            ? graph.edges.find((each) => each.key === joint.key)?.scope
            : scopeAt(placementOf(graph), place);
    return graph.nodes.get(scope ?? "")?.type ?? "";
  });
  useEffect(() => {
    function leave(event: PointerEvent): void {
      const target = event.target;
      if (target instanceof Node && !frame.current?.contains(target)) onClose();
    }
    document.addEventListener("pointerdown", leave, true);
    return () => document.removeEventListener("pointerdown", leave, true);
  }, [onClose]);
  const x = Math.max(8, Math.min(ask.screen.x, innerWidth - SIZE.width - 8));
  const y = Math.max(8, Math.min(ask.screen.y, innerHeight - SIZE.height - 8));
  return (
    <div
      ref={frame}
      role="dialog"
      aria-label={text.palette.add}
      className={styles.popup}
      style={{ left: x, top: y }}
    >
      <KindList
        hasFocus
        onChoose={onChoose}
        onClose={onClose}
        isOffered={(kind) => fits(kind, scopeType, ask.joint !== undefined)}
      />
    </div>
  );
}

/** Whether a kind makes sense in a scope, and at the end of a line. */
export function fits({ type_id: type }: NodeKind, scopeType: string, isJoined: boolean): boolean {
  if (type === BREAK || type === CONTINUE || type === SET_VARIABLE) return scopeType === LOOP;
  if (isComposite(type) && scopeType) return false;
  return !(isJoined && type === NOTE);
}
