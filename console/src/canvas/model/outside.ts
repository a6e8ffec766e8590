import { write } from "../document/tree";
import { type Field, field } from "./field";
import { ancestors, type Graph, type Placed } from "./graph";
import { HTTP } from "./kind";
import { type FixedOutputs, resolved } from "./output";
import { type Reference, referencesIn } from "./reference";

/** A value that a node reads of another one, though no input of its own is called after it. */
export type OutsideValue = {
  /** How a run of the node alone takes it: `node.path` is its name. */
  readonly field: Field;
  readonly blockId: string;
  readonly segments: readonly string[];
  /** What it is called on the canvas. */
  readonly label: string;
};

/**
 * What a node and the nodes inside it read elsewhere, apart from its named inputs: conditions,
 * values of rows, parts of a request, texts that name outputs of other nodes.
 */
export function readOutside(
  graph: Graph,
  node: Placed,
  fixed: FixedOutputs,
): readonly OutsideValue[] {
  const inside = [...graph.nodes.values()].filter((each) =>
    ancestors(graph, each.id).includes(node.id),
  );
  const own = new Set([node.id, ...inside.map((each) => each.id)]);
  const read = [
    ...referencesIn(node.value).filter(({ path }) => !isNamed(path)),
    ...(node.type === HTTP ? inTexts(node) : []),
    ...inside.flatMap((each) => [
      ...referencesIn(each.value),
      ...(each.type === HTTP ? inTexts(each) : []),
    ]),
  ];
  const found = new Map<string, OutsideValue>();
  for (const reference of read) {
    const { blockId, segments } = reference;
    const from = resolved(graph, node.id, reference, fixed);
    if (!from || own.has(blockId) || segments.length === 0) continue;
    const name = [blockId, ...segments].join(".");
    const type = from.field ?? field("", "string");
    const label = [from.node.title, ...segments].join(".");
    found.set(name, { field: { ...type, name, isRequired: false }, blockId, segments, label });
  }
  return [...found.values()];
}

/** What stands in the results of a run for a value that is read; of lists their first element. */
export function valueAt(output: unknown, segments: readonly string[]): unknown {
  return segments.reduce<unknown>((value, name) => {
    const inside: unknown = Array.isArray(value) ? value[0] : value;
    return typeof inside === "object" && inside !== null
      ? Object.entries(inside).find(([key]) => key === name)?.[1]
      : undefined;
  }, output);
}

/** Inputs with a name, and the lists of batch mode: these have fields of their own. */
function isNamed(path: Reference["path"]): boolean {
  return path[1] === "inputs" && (path[2] === "inputParameters" || path[2] === "batch");
}

function inTexts(node: Placed): readonly Reference[] {
  const named = write(node.value).matchAll(/\{\{ *block_output_([^.\s}]+)\.([^\s}]+?) *\}\}/g);
  return [...named].map(([, blockId = "", path = ""]) => ({
    path: [],
    source: "block-output",
    blockId,
    segments: path.split("."),
  }));
}
