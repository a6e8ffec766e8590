import { at, isTrue, items, numberOf, textOf } from "../document/read";
import { type Field, field, fieldOf, wantedType } from "./field";
import { ancestors, before, type CanvasNode, type Graph, type Placed } from "./graph";
import { isComposite, LOOP } from "./kind";
import { type Reference, referenceOf } from "./reference";

/** What the outputs of a kind are where the canvas does not declare them. */
export type FixedOutputs = (type: string) => readonly Field[];

/** The declared outputs of a node, and those that its handling of errors adds. */
export function outputsOf(node: CanvasNode, fixed: FixedOutputs = () => []): readonly Field[] {
  const declared = items(at(node.value, ["data", "outputs"])).map((each) => {
    const input = at(each, ["input"]);
    return input ? wantedType(input, textOf(at(each, ["name"]))) : fieldOf(each);
  });
  const known = declared.length > 0 ? declared : fixed(node.type);
  const kind = numberOf(at(node.value, ["data", "inputs", "settingOnError", "processType"]));
  return kind === 2 || kind === 3 ? [...known, ...OF_ERRORS] : known;
}

const OF_ERRORS: readonly Field[] = [
  field("isSuccess", "boolean"),
  field("errorBody", "object", {
    fields: [field("errorMessage", "string"), field("errorCode", "integer")],
  }),
];

/** What the nodes inside a composite can read of it: the element, its number, the variables. */
export function iterationFields(node: CanvasNode): readonly Field[] {
  const inputs = at(node.value, ["data", "inputs"]);
  const isByList = node.type !== LOOP || (textOf(at(inputs, ["loopType"])) || "array") === "array";
  const elements = isByList
    ? items(at(inputs, ["inputParameters"])).map((each) => {
        const list = wantedType(at(each, ["input"]), textOf(at(each, ["name"])));
        return { ...(list.item ?? field("", "string")), name: list.name };
      })
    : [];
  const variables = items(at(inputs, ["variableParameters"])).map((each) =>
    wantedType(at(each, ["input"]), textOf(at(each, ["name"]))),
  );
  return [...elements, ...variables, field("index", "integer")];
}

/** The lists of a node that runs once for each of their elements. */
export function batchLists(node: CanvasNode): readonly Field[] {
  const batch = at(node.value, ["data", "inputs", "batch"]);
  if (!isTrue(at(batch, ["batchEnable"]))) return [];
  return items(at(batch, ["inputLists"])).map((each) =>
    wantedType(at(each, ["input"]), textOf(at(each, ["name"]))),
  );
}

/** What such a node gets of each list: one element. */
export function batchFields(node: CanvasNode): readonly Field[] {
  return batchLists(node).map((list) => ({
    ...(list.item ?? field("", "string")),
    name: list.name,
  }));
}

export type Source = {
  readonly node: Placed;
  readonly fields: readonly Field[];
  /** How it is seen: a node that ran before, the iteration around, or the own batch. */
  readonly relation: "before" | "iteration" | "batch" | "inner";
};

/** Everything that a node can refer to, the nearest first. */
export function sourcesFor(graph: Graph, id: string, fixed: FixedOutputs): readonly Source[] {
  const self = graph.nodes.get(id);
  if (!self) return [];
  const found: Source[] = [];
  const add = (each: string) => {
    const node = graph.nodes.get(each);
    const fields = node ? outputsOf(node, fixed) : [];
    if (node && fields.length > 0) found.push({ node, fields, relation: "before" });
  };
  const own = batchFields(self);
  if (own.length > 0) found.push({ node: self, fields: own, relation: "batch" });
  before(graph, id).forEach(add);
  for (const outer of ancestors(graph, id)) {
    const node = graph.nodes.get(outer);
    if (node) found.push({ node, fields: iterationFields(node), relation: "iteration" });
    before(graph, outer).forEach(add);
  }
  return found;
}

/** What the outputs of a composite may collect: its variables, and what its nodes produce. */
export function collectable(graph: Graph, id: string, fixed: FixedOutputs): readonly Source[] {
  const self = graph.nodes.get(id);
  if (!self || !isComposite(self.type)) return [];
  const inner = [...graph.nodes.values()].filter((each) => each.scope === id);
  const variables = iterationFields(self).filter((each) => each.name !== "index");
  const own: Source = { node: self, fields: variables, relation: "iteration" };
  const others = inner.flatMap((node): Source[] => {
    const fields = outputsOf(node, fixed);
    return fields.length > 0 ? [{ node, fields, relation: "inner" }] : [];
  });
  return self.type === LOOP ? [own, ...others] : others;
}

type Found = {
  readonly field: Field | undefined;
  /** Whether a list lies on the way, of which the first element is taken. */
  readonly isFirst: boolean;
};

/** The field that a reference leads to; lists on the way give their first element. */
function fieldAt(fields: readonly Field[], segments: readonly string[]): Found {
  const [first, ...rest] = segments;
  const found = fields.find((each) => each.name === first);
  if (!found || rest.length === 0) return { field: found, isFirst: false };
  const isList = found.type === "list";
  const deeper = fieldAt((isList ? found.item : found)?.fields ?? [], rest);
  return { field: deeper.field, isFirst: isList || deeper.isFirst };
}

/** What a reference of a node reads; nothing where it leads nowhere. */
export function resolved(
  graph: Graph,
  id: string,
  reference: Reference,
  fixed: FixedOutputs,
): (Found & { readonly node: Placed }) | undefined {
  const node = graph.nodes.get(reference.blockId);
  if (!node) return undefined;
  const isInside = ancestors(graph, id).includes(node.id);
  const fields = isInside
    ? iterationFields(node)
    : node.id === id
      ? [...batchFields(node), ...(isComposite(node.type) ? iterationFields(node) : [])]
      : outputsOf(node, fixed);
  return { node, ...fieldAt(fields, reference.segments) };
}

export type Input = {
  readonly name: string;
  readonly path: readonly (string | number)[];
  readonly type: Field;
  readonly reference: Reference | undefined;
  readonly literal: string | undefined;
};

/** The inputs of a node that its settings call by name. */
export function inputsOf(node: CanvasNode): readonly Input[] {
  return items(at(node.value, ["data", "inputs", "inputParameters"])).map((each, index) => {
    const input = at(each, ["input"]);
    const name = textOf(at(each, ["name"]));
    const content = at(input, ["value", "content"]);
    const isLiteral = textOf(at(input, ["value", "type"])) === "literal";
    return {
      name,
      path: ["data", "inputs", "inputParameters", index],
      type: wantedType(input, name),
      reference: referenceOf(input),
      literal: isLiteral && content ? literalText(content) : undefined,
    };
  });
}

function literalText(content: Parameters<typeof textOf>[0]): string {
  if (content?.kind === "leaf") return content.raw.startsWith('"') ? textOf(content) : content.raw;
  return content ? "…" : "";
}
