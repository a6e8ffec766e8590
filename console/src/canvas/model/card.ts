import { readJson } from "../../json/json";
import { at, isTrue, items, numberOf, textOf } from "../document/read";
import type { Value } from "../document/tree";
import { typeKeyOf, wantedType } from "./field";
import type { CanvasNode, Edge } from "./graph";
import {
  AGGREGATOR,
  BATCH,
  CODE,
  categoryOf,
  EMITTER,
  ENTRY,
  EXIT,
  HTTP,
  INTENT,
  isRunnable,
  LLM,
  LOOP,
  NOTE,
  PLUGIN,
  QUESTION,
  SELECTOR,
  SET_VARIABLE,
  SUB_WORKFLOW,
  TEXT,
} from "./kind";
import { inputsOf, iterationFields, outputsOf } from "./output";
import { type Port, portsWithEdges } from "./port";
import { type Reference, referenceOf } from "./reference";

export const CARD_WIDTH = 360;
/** How far down a card the lines lead into it: the middle of its header. */
export const IN_Y = 22;
export const HEADER = 44;
const LINE = 24;
const PADDING = 10;
const MOST_LINES = 6;
const MOST_INPUTS = 4;
export const NOTE_SIZE = { width: 240, height: 160 };
/** What notes are drawn on; the first where the text says nothing. */
export const NOTE_COLOURS = ["yellow", "green", "blue", "red", "grey"] as const;

/** A side of a comparison, or what an input is filled with. */
export type Operand =
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "none" };

export type Comparison = {
  readonly left: Operand;
  readonly operator: number;
  readonly right: Operand;
};

/** One line of a card; what is said in words comes from the view. */
export type Line =
  | { readonly kind: "text"; readonly text: string; readonly isCode?: boolean }
  | {
      readonly kind: "word";
      readonly word:
        | "loopType"
        | "method"
        | "skills"
        | "strategy"
        | "batch"
        | "values"
        | "allRows"
        | "key";
      readonly value: string;
    }
  /** Things of the workspace, which the canvas knows by their ids alone. */
  | {
      readonly kind: "named";
      readonly of: "datasets" | "databases";
      readonly ids: readonly string[];
    }
  /** Which rows of a table are meant. */
  | {
      readonly kind: "where";
      readonly field: string;
      readonly operation: string;
      readonly right: Operand;
      readonly more: number;
      readonly isAny: boolean;
    }
  | {
      readonly kind: "input";
      readonly name: string;
      readonly type: string;
      readonly from: Operand;
    }
  | { readonly kind: "fields"; readonly side: "in" | "out"; readonly names: readonly FieldName[] }
  | {
      readonly kind: "branch";
      readonly port: Port;
      readonly isAny: boolean;
      readonly comparisons: readonly Comparison[];
      readonly text: string;
    };

/** Its type as `typeKeyOf` has it. */
type FieldName = { readonly name: string; readonly type: string };

export type Card = {
  readonly width: number;
  readonly height: number;
  readonly hasInput: boolean;
  readonly lines: readonly Line[];
  /** Where each port is, from the top. */
  readonly ports: readonly (Port & { readonly y: number })[];
};

const cards = new WeakMap<Value, { edges: readonly Edge[]; card: Card }>();

/** What a node shows and how large that is, without measuring anything. */
export function cardOf(node: CanvasNode, edges: readonly Edge[]): Card {
  const known = cards.get(node.value);
  if (known && known.edges === edges) return known.card;
  const card = madeCard(node, edges);
  cards.set(node.value, { edges, card });
  return card;
}

function madeCard(node: CanvasNode, edges: readonly Edge[]): Card {
  if (node.type === NOTE) return noteCard(node);
  const { hasInput, outputs } = portsWithEdges(node, edges);
  const lines = [...summary(node), ...inputLines(node), ...outputLines(node)];
  const shown = [...lines];
  const ports = outputs.map((port) => {
    if (port.kind === "plain") return { ...port, y: HEADER / 2 };
    const index = shown.push(branchLine(node, port)) - 1;
    return { ...port, y: HEADER + index * LINE + LINE / 2 };
  });
  const height = HEADER + (shown.length > 0 ? shown.length * LINE + PADDING : 0);
  return { width: CARD_WIDTH, height, hasInput, lines: shown, ports };
}

function noteCard(node: CanvasNode): Card {
  const size = at(node.value, ["data", "size"]);
  const width = Math.max(numberOf(at(size, ["width"])) ?? NOTE_SIZE.width, 120);
  const height = Math.max(numberOf(at(size, ["height"])) ?? NOTE_SIZE.height, 48);
  const text = noteText(textOf(at(node.value, ["data", "inputs", "note"])));
  return { width, height, hasInput: false, lines: [{ kind: "text", text }], ports: [] };
}

/** What a note is drawn on. */
export function noteColour(node: CanvasNode): (typeof NOTE_COLOURS)[number] {
  const said = textOf(at(node.value, ["data", "inputs", "color"]));
  return NOTE_COLOURS.find((each) => each === said) ?? NOTE_COLOURS[0];
}

/** The words of a note: its paragraphs without their looks, or the text as it is. */
export function noteText(raw: string): string {
  const read = readJson(raw);
  return Array.isArray(read) ? read.map(paragraph).join("\n") : raw;
}

function paragraph(value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  if ("text" in value && typeof value.text === "string") return value.text;
  return "children" in value && Array.isArray(value.children)
    ? value.children.map(paragraph).join("")
    : "";
}

/** A parameter of a list of parameters with literal values. */
function parameter(list: Value | undefined, name: string): Value | undefined {
  const found = items(list).find((each) => textOf(at(each, ["name"])) === name);
  return at(found, ["input", "value", "content"]);
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0]?.trim() ?? "";
}

const SUMMARIES: Readonly<Record<string, (inputs: Value | undefined, node: CanvasNode) => Line[]>> =
  {
    [LLM]: (inputs) => {
      const model = at(inputs, ["llmParam"]);
      const skills =
        items(at(inputs, ["fcParam", "pluginFCParam", "pluginList"])).length +
        items(at(inputs, ["fcParam", "workflowFCParam", "workflowList"])).length +
        items(at(inputs, ["fcParam", "knowledgeFCParam", "knowledgeList"])).length;
      return [
        ...said(textOf(parameter(model, "modleName")) || textOf(parameter(model, "modelType"))),
        ...said(
          firstLine(textOf(parameter(model, "prompt")) || textOf(parameter(model, "systemPrompt"))),
        ),
        ...(skills > 0 ? [word("skills", String(skills))] : []),
      ];
    },
    [PLUGIN]: (inputs) => {
      const tool = at(inputs, ["apiParam"]);
      const names = ["pluginName", "apiName"].map((name) => textOf(parameter(tool, name)));
      return said(names.filter(Boolean).join(" · "));
    },
    [SUB_WORKFLOW]: (inputs) =>
      said(
        [textOf(at(inputs, ["workflowName"])), textOf(at(inputs, ["workflowVersion"]))]
          .filter(Boolean)
          .join(" · "),
      ),
    [CODE]: (inputs) => said(firstLine(textOf(at(inputs, ["code"]))), true),
    [HTTP]: (inputs) => {
      const method = textOf(at(inputs, ["apiInfo", "method"])) || "GET";
      const url = textOf(at(inputs, ["apiInfo", "url"])).replace(/^https?:\/\//, "");
      return said(`${method} ${url}`, true);
    },
    [TEXT]: (inputs) => {
      const method = textOf(at(inputs, ["method"])) || "concat";
      const text = textOf(parameter(at(inputs, ["concatParams"]), "concatResult"));
      return method === "concat" ? said(firstLine(text)) : [word("method", method)];
    },
    [EXIT]: (inputs) =>
      textOf(at(inputs, ["terminatePlan"])) === "useAnswerContent"
        ? said(firstLine(textOf(at(inputs, ["content", "value", "content"]))))
        : [],
    [EMITTER]: (inputs) => said(firstLine(textOf(at(inputs, ["content", "value", "content"])))),
    [QUESTION]: (inputs) => said(firstLine(textOf(at(inputs, ["question"])))),
    [INTENT]: (inputs) => said(textOf(at(inputs, ["llmParam", "modelName"]))),
    [LOOP]: (inputs) => [word("loopType", textOf(at(inputs, ["loopType"])) || "array")],
    [AGGREGATOR]: (inputs) =>
      items(at(inputs, ["mergeGroups"])).flatMap((group) =>
        said(
          `${textOf(at(group, ["name"]))} ← ${items(at(group, ["variables"]))
            .map((each) => referenceOf(each)?.segments.at(-1) ?? "…")
            .join(" | ")}`,
        ),
      ),
    [SET_VARIABLE]: assigned,
    "40": assigned,
    "12": (inputs) => [...table(inputs), ...said(firstLine(textOf(at(inputs, ["sql"]))), true)],
    "42": (inputs) => [
      ...table(inputs),
      ...written(at(inputs, ["updateParam", "fieldInfo"])),
      ...where(at(inputs, ["updateParam", "condition"])),
    ],
    "43": (inputs) => {
      const meant = where(at(inputs, ["selectParam", "condition"]));
      return [...table(inputs), ...(meant.length > 0 ? meant : [word("allRows", "")])];
    },
    "44": (inputs) => [...table(inputs), ...where(at(inputs, ["deleteParam", "condition"]))],
    "46": (inputs) => [...table(inputs), ...written(at(inputs, ["insertParam", "fieldInfo"]))],
    "6": (inputs) => [
      ...bases(inputs),
      word("strategy", textOf(parameter(at(inputs, ["datasetParam"]), "strategy")) || "1"),
    ],
    "27": bases,
    "60": bases,
    [BATCH]: (inputs) => {
      const number = (name: string, other: string) => {
        const from = operand(at(inputs, [name]));
        const typed = from.kind === "literal" ? from.text : "";
        return from.kind === "reference" ? "…" : typed === "" || typed === "0" ? other : typed;
      };
      return [word("batch", `${number("batchSize", "100")} ${number("concurrentSize", "10")}`)];
    },
  };

function bases(inputs: Value | undefined): Line[] {
  const ids = items(parameter(at(inputs, ["datasetParam"]), "datasetList")).map(textOf);
  return ids.length > 0 ? [{ kind: "named", of: "datasets", ids }] : [];
}

function table(inputs: Value | undefined): Line[] {
  const id = textOf(at(inputs, ["databaseInfoList", 0, "databaseInfoID"]));
  return id ? [{ kind: "named", of: "databases", ids: [id] }] : [];
}

function written(rows: Value | undefined): Line[] {
  const { length } = items(rows);
  return length > 0 ? [word("values", String(length))] : [];
}

function where(condition: Value | undefined): Line[] {
  const [first, ...more] = items(at(condition, ["conditionList"]));
  if (!first) return [];
  const part = (name: string) =>
    at(
      items(first).find((each) => textOf(at(each, ["name"])) === name),
      ["input"],
    );
  const literal = (name: string) => textOf(at(part(name), ["value", "content"]));
  return [
    {
      kind: "where",
      field: literal("left"),
      operation: literal("operation"),
      right: operand(part("right")),
      more: more.length,
      isAny: textOf(at(condition, ["logic"])).toUpperCase() === "OR",
    },
  ];
}

function assigned(inputs: Value | undefined): Line[] {
  return items(at(inputs, ["inputParameters"])).map((each) => ({
    kind: "input",
    name: referenceOf(at(each, ["left"]))?.segments.join(".") ?? textOf(at(each, ["name"])),
    type: typeKeyOf(wantedType(at(each, ["left"]), "")),
    from: operand(at(each, ["right"]) ?? at(each, ["input"])),
  }));
}

function summary(node: CanvasNode): Line[] {
  if (!isRunnable(node.type) || categoryOf(node.type) === "unknown")
    return [word("key", node.type)];
  const make = SUMMARIES[node.type];
  return make ? make(at(node.value, ["data", "inputs"]), node).slice(0, MOST_LINES) : [];
}

function said(text: string, isCode = false): Line[] {
  return text ? [{ kind: "text", text: text.slice(0, 200), isCode }] : [];
}

function word(name: Extract<Line, { kind: "word" }>["word"], value: string): Line {
  return { kind: "word", word: name, value };
}

function inputLines(node: CanvasNode): Line[] {
  if (node.type === SET_VARIABLE || node.type === "40") return [];
  return inputsOf(node)
    .filter((each) => each.name)
    .slice(0, MOST_INPUTS)
    .map((each) => ({
      kind: "input",
      name: each.name,
      type: typeKeyOf(each.type),
      from: each.reference
        ? { kind: "reference", reference: each.reference }
        : each.literal === undefined
          ? { kind: "none" }
          : { kind: "literal", text: each.literal.slice(0, 80) },
    }));
}

function outputLines(node: CanvasNode): Line[] {
  if (node.type === EXIT || node.type === SELECTOR) return [];
  const names = outputsOf(node).map((each) => ({ name: each.name, type: typeKeyOf(each) }));
  if (node.type === LOOP) {
    const variables = iterationFields(node)
      .filter((each) => each.name !== "index")
      .map((each) => ({ name: each.name, type: typeKeyOf(each) }));
    if (variables.length > 0) {
      return [
        { kind: "fields", side: "in", names: variables },
        ...(names.length > 0 ? [fields("out", names)] : []),
      ];
    }
  }
  if (names.length === 0) return [];
  return [fields(node.type === ENTRY ? "in" : "out", names)];
}

function fields(side: "in" | "out", names: readonly FieldName[]): Line {
  return { kind: "fields", side, names };
}

function branchLine(node: CanvasNode, port: Port): Line {
  const inputs = at(node.value, ["data", "inputs"]);
  const made = { kind: "branch", port, isAny: false, comparisons: [], text: "" } as const;
  if (port.kind !== "branch") return made;
  if (node.type === INTENT) {
    return { ...made, text: textOf(at(inputs, ["intents", port.index, "name"])) };
  }
  if (node.type === QUESTION) {
    return { ...made, text: textOf(at(inputs, ["options", port.index, "name"])) };
  }
  const condition = at(inputs, ["branches", port.index, "condition"]);
  return {
    ...made,
    isAny: numberOf(at(condition, ["logic"])) === 1,
    comparisons: items(at(condition, ["conditions"])).map((each) => ({
      left: operand(at(each, ["left", "input"])),
      operator: numberOf(at(each, ["operator"])) ?? 0,
      right: operand(at(each, ["right", "input"])),
    })),
  };
}

function operand(input: Value | undefined): Operand {
  const reference = referenceOf(input);
  if (reference) return { kind: "reference", reference };
  const content = at(input, ["value", "content"]);
  if (content?.kind !== "leaf" || textOf(at(input, ["value", "type"])) === "ref") {
    return { kind: "none" };
  }
  if (content.raw === "null") return { kind: "none" };
  const text = content.raw.startsWith('"') ? textOf(content) : content.raw;
  return { kind: "literal", text: isTrue(content) ? "true" : text.slice(0, 80) };
}
