import { ArrowUpRight, Minus, MoveDiagonal, Pencil, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../text/catalogue";
import styles from "./change-sign.module.css";
import type { NodeState } from "./compare";
import { compareText } from "./text";

const SIGNS: Readonly<Record<NodeState, ReactNode>> = {
  added: <Plus size={12} />,
  removed: <Minus size={12} />,
  changed: <Pencil size={12} />,
  moved: <MoveDiagonal size={12} />,
  connected: <ArrowUpRight size={12} />,
};

/** What became of a node, by a sign and not by its colour alone. */
export function ChangeSign({ state }: { state: NodeState }) {
  const { states } = useText(compareText);
  return (
    <span className={styles.sign} data-state={state} title={states[state]}>
      {SIGNS[state]}
      <span className={styles.word}>{states[state]}</span>
    </span>
  );
}
