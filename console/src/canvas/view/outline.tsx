import { ChevronRight, CircleAlert, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { useText } from "../../text/catalogue";
import { useKindName } from "../kinds";
import { type Graph, graphOf, type Placed } from "../model/graph";
import { ENTRY } from "../model/kind";
import { inputsOf } from "../model/output";
import { useNodeProblem } from "../problems";
import { useMark } from "../run/overlay";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import { KindIcon } from "./kind-icon";
import styles from "./outline.module.css";

type Row = { readonly node: Placed; readonly depth: number };

/** The canvas as a list in the order of its edges: the full view for phones and screen readers. */
export function Outline() {
  const text = useText(canvasText);
  const store = useCanvasStore();
  const root = useCanvas((state) => state.root);
  const selection = useCanvas((state) => state.selection);
  const frame = useRef<HTMLUListElement>(null);
  const rows = outlineOf(graphOf(root));
  const [chosen] = selection;
  const at = Math.max(
    rows.findIndex((row) => row.node.id === chosen),
    0,
  );
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step ? rows[at + step] : undefined;
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    store.getState().select([next.node.id]);
    const line = frame.current?.querySelector(`[data-id="${CSS.escape(next.node.id)}"]`);
    if (line instanceof HTMLElement) line.focus();
  }
  return (
    <ul className={styles.outline} aria-label={text.outline} ref={frame} onKeyDown={onKeyDown}>
      {rows.map((row, index) => (
        <li key={row.node.id}>
          <Entry row={row} isCurrent={row.node.id === chosen} isFirst={index === at} />
        </li>
      ))}
    </ul>
  );
}

function Entry({ row, isCurrent, isFirst }: { row: Row; isCurrent: boolean; isFirst: boolean }) {
  const text = useText(canvasText);
  const store = useCanvasStore();
  const nameOf = useKindName();
  const { node, depth } = row;
  const mark = useMark(node.id);
  const [kind, count] = useNodeProblem(node.id).split(" ");
  const words = [
    nameOf(node.type),
    node.title,
    text.inputCount(inputsOf(node).length),
    count && text.problemCount(Number(count), kind === "error"),
    mark && text.run.states[mark.state],
  ].filter(Boolean);
  return (
    <button
      type="button"
      data-id={node.id}
      className={styles.entry}
      tabIndex={isFirst ? 0 : -1}
      aria-current={isCurrent || undefined}
      aria-label={words.join(", ")}
      style={{ paddingLeft: 12 + depth * 20 }}
      onClick={() => {
        store.getState().select([node.id]);
        store.getState().open("node");
      }}
    >
      <KindIcon type={node.type} size={24} />
      <span className={styles.title}>{node.title}</span>
      {nameOf(node.type) !== node.title && <span className={styles.kind}>{nameOf(node.type)}</span>}
      {count && (
        <span className={styles.problem} data-tone={kind}>
          {kind === "error" ? <CircleAlert size={14} /> : <TriangleAlert size={14} />}
          {count}
        </span>
      )}
      {mark && <span className={styles.kind}>{text.run.states[mark.state]}</span>}
      <ChevronRight size={14} className={styles.more} />
    </button>
  );
}

/** Nodes in the order in which control comes by, what is inside a composite behind it. */
function outlineOf(graph: Graph): readonly Row[] {
  const rows: Row[] = [];
  const walk = (scope: string, depth: number): void => {
    const own = [...graph.nodes.values()].filter((each) => each.scope === scope);
    const edges = graph.edges.filter((each) => each.scope === scope);
    const next = new Map<string, string[]>();
    for (const edge of edges)
      next.set(edge.source, [...(next.get(edge.source) ?? []), edge.target]);
    const targets = (id: string) =>
      (next.get(id) ?? []).flatMap((each) => {
        const to = graph.nodes.get(each);
        return to?.scope === scope ? to : [];
      });
    const seen = new Set<string>();
    // Depth first, what was left last to the front: nothing stands before what leads to it.
    const visit = (node: Placed, found: Placed[]): Placed[] => {
      if (seen.has(node.id)) return found;
      seen.add(node.id);
      for (const to of targets(node.id).toReversed()) visit(to, found);
      found.unshift(node);
      return found;
    };
    const starts = [
      ...targets(scope),
      ...own.filter((each) => each.type === ENTRY),
      ...own.toSorted((one, other) => one.x - other.x),
    ];
    for (const node of starts.flatMap((each) => visit(each, []))) {
      rows.push({ node, depth });
      walk(node.id, depth + 1);
    }
  };
  walk("", 0);
  return rows;
}
