import { Handle, type NodeProps, Position } from "@xyflow/react";
import {
  CircleAlert,
  CircleCheck,
  CircleX,
  Clock,
  Hourglass,
  Pin,
  TriangleAlert,
} from "lucide-react";
import { createContext, memo, type ReactNode, use, useState } from "react";
import { useText } from "../../text/catalogue";
import { formatDuration } from "../../text/formats";
import { freshTitle, setInNode } from "../commands/nodes";
import { ChangeSign } from "../compare/change-sign";
import { useNodeState } from "../compare/marks";
import { IN_Y } from "../model/card";
import { graphOf } from "../model/graph";
import { useNodeProblem } from "../problems";
import { type NodeMark, useIsFaded, useIsMocked, useMark } from "../run/overlay";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import { CardLine } from "./card-line";
import { type CardNode, handleOf, IN } from "./flow-nodes";
import { KindIcon } from "./kind-icon";
import styles from "./node-card.module.css";

/** How much of a node is drawn: all of it, its name alone, or nothing but a spot. */
export type Detail = "full" | "light" | "far";

/** From which zoom on a card has its contents, and below which nodes are painted as spots. */
export const FULL_FROM = 0.6;
export const FAR_BELOW = 0.25;

export const DetailContext = createContext<Detail>("full");

/** A node of the canvas. */
export const NodeCard = memo(function NodeCard({ id, data, selected }: NodeProps<CardNode>) {
  const text = useText(canvasText);
  const detail = use(DetailContext);
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  const mark = useMark(id);
  const isFaded = useIsFaded(id);
  const isMocked = useIsMocked(id);
  const problem = useNodeProblem(id);
  const change = useNodeState(id);
  const { node, card } = data;
  const facts = {
    "data-chosen": selected || undefined,
    "data-state": mark?.state,
    "data-faded": isFaded || undefined,
    "data-change": change,
  };
  if (detail !== "full") {
    return (
      <div className={styles.light} {...facts}>
        <span className={styles.scaled}>
          <KindIcon type={node.type} size={24} />
        </span>
        <span className={styles.said}>{node.title}</span>
        {mark && (
          <span className={`${styles.state} ${styles.scaledState}`} data-state={mark.state}>
            {SIGNS[mark.state]}
          </span>
        )}
        {card.hasInput && <Spot kind="target" id={IN} top={IN_Y} />}
        {card.ports.map((port) => (
          <Spot key={port.id} kind="source" id={handleOf(port.id)} top={port.y} />
        ))}
      </div>
    );
  }
  return (
    <div className={styles.card} {...facts}>
      {mark?.state === "running" && (
        <span className={styles.running}>
          <span className={styles.progress} />
        </span>
      )}
      {card.hasInput && (
        <Handle
          type="target"
          id={IN}
          position={Position.Left}
          className={styles.port}
          style={{ top: IN_Y }}
        />
      )}
      <header className={styles.head}>
        <KindIcon type={node.type} size={24} />
        <Title id={id} title={node.title} />
        {isMocked && <Mocked />}
        <Problem problem={problem} />
        {change && <ChangeSign state={change} />}
        {mark && <RunState mark={mark} />}
      </header>
      {card.lines.length > 0 && (
        <div className={styles.lines}>
          {card.lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name of their own
            <CardLine key={index} line={line} type={node.type} />
          ))}
        </div>
      )}
      {card.ports.map((port) => (
        <Handle
          key={port.id}
          type="source"
          id={handleOf(port.id)}
          title={isReadOnly ? undefined : text.portHint}
          position={Position.Right}
          className={styles.port}
          data-kind={port.kind}
          style={{ top: port.y }}
        />
      ))}
    </div>
  );
});

/** Where lines end while nobody can draw them: the library looks for these names. */
function Spot({ kind, id, top }: { kind: "source" | "target"; id: string; top: number }) {
  const side = kind === "source" ? "right" : "left";
  return (
    <i
      className={`${kind} ${styles.spot}`}
      data-handleid={id}
      data-handlepos={side}
      data-side={side}
      style={{ top: top - 6 }}
    />
  );
}

/** The name of a node; a double click changes it. */
function Title({ id, title }: { id: string; title: string }) {
  const text = useText(canvasText);
  const store = useCanvasStore();
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  const [draft, setDraft] = useState<string>();
  function rename(): void {
    const wanted = draft?.trim();
    setDraft(undefined);
    if (!wanted || wanted === title) return;
    store.getState().apply(text.steps.rename, (root) => {
      const free = freshTitle(graphOf(root), wanted, id);
      return setInNode(root, id, ["data", "nodeMeta", "title"], free);
    });
  }
  if (draft === undefined) {
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: the form of the node renames by keys
      <span
        className={styles.title}
        title={title}
        onDoubleClick={(event) => {
          if (isReadOnly) return;
          event.stopPropagation();
          setDraft(title);
        }}
      >
        {title}
      </span>
    );
  }
  return (
    <input
      className={`${styles.rename} nodrag nopan`}
      value={draft}
      aria-label={text.form.title}
      ref={(input) => input?.focus()}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={rename}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") rename();
        if (event.key === "Escape") setDraft(undefined);
      }}
    />
  );
}

/** A fixed output stands for the node in test runs. */
function Mocked() {
  const text = useText(canvasText);
  return (
    <span className={styles.mocked} title={text.run.mock.isOn}>
      <Pin size={14} aria-label={text.run.mock.isOn} />
    </span>
  );
}

function Problem({ problem }: { problem: string }) {
  const text = useText(canvasText);
  const [kind, count] = problem.split(" ");
  if (!count) return null;
  const isError = kind === "error";
  return (
    <span className={styles.problem} data-tone={isError ? "bad" : "warn"}>
      {isError ? <CircleAlert size={14} /> : <TriangleAlert size={14} />}
      <span title={text.problemCount(Number(count), isError)}>{count}</span>
    </span>
  );
}

const SIGNS: Readonly<Record<NodeMark["state"], ReactNode>> = {
  pending: <Clock size={14} />,
  running: <Clock size={14} />,
  success: <CircleCheck size={14} />,
  skipped: null,
  failed: <CircleX size={14} />,
  waiting: <Hourglass size={14} />,
};

function RunState({ mark }: { mark: NodeMark }) {
  const text = useText(canvasText);
  const isDone = mark.state === "success" || mark.state === "failed";
  return (
    <span className={styles.state} data-state={mark.state} title={text.run.states[mark.state]}>
      {SIGNS[mark.state]}
      {mark.begun > 1 && `${mark.ended}/${mark.begun} `}
      {isDone && formatDuration(mark.durationMs)}
    </span>
  );
}
