import { useText } from "../../text/catalogue";
import { classes } from "../../ui/classes";
import type { Comparison, Line, Operand } from "../model/card";
import { graphOf } from "../model/graph";
import { LOOP } from "../model/kind";
import { useBases, useTables } from "../resources";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import type { Text } from "../text.en";
import { keyWord } from "../type-word";
import styles from "./node-card.module.css";

/** One line of a card. */
export function CardLine({ line, type }: { line: Line; type: string }) {
  const text = useText(canvasText);
  switch (line.kind) {
    case "text":
      return (
        <div className={styles.line}>
          {line.isCode ? (
            <code>{line.text}</code>
          ) : (
            <span className={styles.said}>{line.text}</span>
          )}
        </div>
      );
    case "word":
      return <div className={styles.line}>{said(line, text)}</div>;
    case "input":
      return (
        <div className={styles.line}>
          <span className={styles.name}>{line.name}</span>
          <span className={styles.type}>{keyWord(line.type, text)}</span>
          <Filled operand={line.from} />
        </div>
      );
    case "fields":
      return (
        <div className={styles.line}>
          <span className={styles.side}>{side(line.side, type, text)}</span>
          <span className={styles.names}>
            {line.names.map((each) => (
              <span key={each.name} className={styles.pair}>
                {each.name}
                <span className={styles.type}>{keyWord(each.type, text)}</span>
              </span>
            ))}
          </span>
        </div>
      );
    case "branch":
      return <Branch line={line} />;
    case "named":
      return line.of === "datasets" ? <Bases ids={line.ids} /> : <Tables ids={line.ids} />;
    case "where":
      return <Where line={line} />;
  }
}

function Bases({ ids }: { ids: readonly string[] }) {
  const { bases } = useBases();
  return <Named ids={ids} all={bases} />;
}

function Tables({ ids }: { ids: readonly string[] }) {
  const { tables } = useTables();
  return <Named ids={ids} all={tables.map(({ id, table_name: name }) => ({ id, name }))} />;
}

type NamedProps = {
  ids: readonly string[];
  all: readonly { readonly id: string; readonly name: string }[];
};

/** The names of things of the workspace; ids of those that it does not have. */
function Named({ ids, all }: NamedProps) {
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return (
    <div className={styles.line}>
      <span className={styles.said}>{ids.map((id) => names.get(id) ?? id).join(", ")}</span>
    </div>
  );
}

function Where({ line }: { line: Extract<Line, { kind: "where" }> }) {
  const text = useText(canvasText);
  const names: Readonly<Record<string, string>> = text.database.operations;
  return (
    <div className={styles.line}>
      <span className={styles.name}>{line.field}</span>
      <span className={styles.operator}>{names[line.operation] ?? line.operation}</span>
      {!line.operation.startsWith("IS_") && <Filled operand={line.right} />}
      {line.more > 0 && (
        <span className={styles.operator}>
          {line.isAny ? text.card.orMore(line.more) : text.card.andMore(line.more)}
        </span>
      )}
    </div>
  );
}

function said(line: Extract<Line, { kind: "word" }>, text: Text): string {
  switch (line.word) {
    case "skills":
      return text.card.skills(Number(line.value));
    case "method":
      return text.card.split;
    case "key":
      return text.card.cannotRun(line.value);
    case "strategy":
      return text.knowledge.strategies[
        line.value === "0" || line.value === "20" ? line.value : "1"
      ];
    case "values":
      return text.card.values(Number(line.value));
    case "allRows":
      return text.database.allRows;
    case "batch": {
      const [most = "", atOnce = ""] = line.value.split(" ");
      return text.card.batch(most, atOnce);
    }
    case "loopType":
      return line.value === "count"
        ? text.card.byCount
        : line.value === "infinite"
          ? text.card.endless
          : text.card.byList;
  }
}

function side(side: "in" | "out", type: string, text: Text): string {
  if (side === "out") return text.card.outputs;
  return type === LOOP ? text.card.variables : text.card.inputs;
}

function Branch({ line }: { line: Extract<Line, { kind: "branch" }> }) {
  const text = useText(canvasText);
  const { port, comparisons } = line;
  if (port.kind === "error") {
    return (
      <div className={classes(styles.line, styles.branch, styles.error)}>{text.card.failed}</div>
    );
  }
  if (port.kind === "other") {
    return <div className={classes(styles.line, styles.branch)}>{text.card.otherwise}</div>;
  }
  const [first, ...more] = comparisons;
  return (
    <div className={classes(styles.line, styles.branch)}>
      {first ? (
        <>
          <Sentence comparison={first} />
          {more.length > 0 && (
            <span className={styles.operator}>
              {line.isAny ? text.card.orMore(more.length) : text.card.andMore(more.length)}
            </span>
          )}
        </>
      ) : (
        <span className={styles.said}>{line.text || text.card.noWords}</span>
      )}
    </div>
  );
}

function Sentence({ comparison }: { comparison: Comparison }) {
  const text = useText(canvasText);
  return (
    <>
      <Filled operand={comparison.left} />
      <span className={styles.operator}>{text.operators[comparison.operator] ?? "?"}</span>
      {comparison.right.kind !== "none" && <Filled operand={comparison.right} />}
    </>
  );
}

/** What an input is filled with: a place in another node, a text, or nothing yet. */
function Filled({ operand }: { operand: Operand }) {
  const text = useText(canvasText);
  const blockId = operand.kind === "reference" ? operand.reference.blockId : "";
  const title = useCanvas((state) =>
    blockId ? graphOf(state.root).nodes.get(blockId)?.title : "",
  );
  if (operand.kind === "none") return <span className={styles.missing}>{text.card.notSet}</span>;
  if (operand.kind === "literal") {
    return <span className={styles.from}>{operand.text === "" ? "“”" : operand.text}</span>;
  }
  const { source, segments } = operand.reference;
  const from = source === "block-output" ? (title ?? text.card.gone) : text.variables[source];
  return (
    <span className={classes(styles.from, title === undefined && styles.error)}>
      {[from, ...segments].filter(Boolean).join(".")}
    </span>
  );
}
