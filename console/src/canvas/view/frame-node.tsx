import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo, use } from "react";
import { useText } from "../../text/catalogue";
import { useNodeState } from "../compare/marks";
import { at, textOf } from "../document/read";
import { noteColour, noteText } from "../model/card";
import { canvasText } from "../text";
import { type CardNode, END, type FrameNode, START } from "./flow-nodes";
import { DetailContext } from "./node-card";
import styles from "./node-card.module.css";

/** The body of a loop or batch: where each iteration starts and ends. */
export const FrameBody = memo(function FrameBody({ data, selected }: NodeProps<FrameNode>) {
  const text = useText(canvasText);
  const detail = use(DetailContext);
  return (
    <div className={styles.frame} data-chosen={selected || undefined}>
      <Handle
        type="source"
        id={START}
        position={Position.Right}
        className={styles.moon}
        data-side="start"
        title={text.card.iterationStart}
        style={{ left: 0, right: "auto", transform: "translate(0, -50%)" }}
      />
      <Handle
        type="target"
        id={END}
        position={Position.Left}
        className={styles.moon}
        data-side="end"
        title={text.card.iterationEnd}
        style={{ right: 0, left: "auto", transform: "translate(0, -50%)" }}
      />
      {detail === "full" && (
        <div className={styles.caption} data-drag="">
          {text.card.bodyOf(data.title)}
        </div>
      )}
      {data.isEmpty && detail === "full" && <p className={styles.empty}>{text.card.emptyBody}</p>}
    </div>
  );
});

/** A note; it is never carried out. */
export const NoteCard = memo(function NoteCard({ data, selected }: NodeProps<CardNode>) {
  const change = useNodeState(data.node.id);
  const raw = textOf(at(data.node.value, ["data", "inputs", "note"]));
  return (
    <div
      className={styles.note}
      data-chosen={selected || undefined}
      data-change={change}
      data-colour={noteColour(data.node)}
    >
      {noteText(raw)}
    </div>
  );
});
