import type { Json, JsonObject } from "../document/read";
import type { Field } from "../model/field";
import type { VariableSource } from "../model/variables";

/** Codes by which editors of the format remember a type; nothing reads them at run time. */
const RAW: Readonly<Record<string, number>> = {
  string: 1,
  integer: 2,
  boolean: 3,
  float: 4,
  object: 6,
  "list:string": 99,
  "list:integer": 100,
  "list:boolean": 101,
  "list:float": 102,
  "list:object": 103,
};

function rawMeta({ type, item }: Field): JsonObject {
  const code = RAW[type === "list" ? `list:${item?.type ?? "string"}` : type];
  return code === undefined ? {} : { type: code };
}

/** A type in the spelling of the format. */
export function typeJson(field: Field): JsonObject {
  const { type, assistType, fields, item } = field;
  return {
    type,
    ...(assistType > 0 && { assistType }),
    ...(type === "object" && { schema: fields.map(fieldJson) }),
    ...(type === "list" && { schema: item ? typeJson(item) : { type: "string" } }),
  };
}

/** A declared field in the spelling of the format. */
export function fieldJson(field: Field): JsonObject {
  return {
    ...typeJson(field),
    name: field.name,
    ...(field.isRequired && { required: true }),
    ...(field.description && { description: field.description }),
  };
}

/** An input that reads an output of a node. */
export function referenceInput(
  wanted: Field,
  blockId: string,
  segments: readonly string[],
): JsonObject {
  return {
    ...typeJson(wanted),
    value: {
      type: "ref",
      content: { source: "block-output", blockID: blockId, name: segments.join(".") },
      rawMeta: rawMeta(wanted),
    },
  };
}

/** An input that reads a variable of an app, a user or the system. */
export function variableInput(
  wanted: Field,
  source: VariableSource,
  path: readonly string[],
): JsonObject {
  return {
    ...typeJson(wanted),
    value: {
      type: "ref",
      content: { source, path: [...path], blockID: "", name: "" },
      rawMeta: rawMeta(wanted),
    },
  };
}

/** An input with a fixed value; numbers and switches are what they are, the rest is text. */
export function literalInput(wanted: Field, content: Json): JsonObject {
  return { ...typeJson(wanted), value: { type: "literal", content, rawMeta: rawMeta(wanted) } };
}

/** An input that is put together from a value for each of its fields. */
export function assembledInput(wanted: Field): JsonObject {
  const members = wanted.fields.map((each) => ({ name: each.name, input: unsetInput(each) }));
  return { type: "object", schema: members, value: { type: "object_ref" } };
}

/** Nothing chosen yet, in the spelling of the format. */
export const NO_VALUE: JsonObject = {
  type: "ref",
  content: { source: "block-output", blockID: "", name: "" },
};

export function unsetInput(wanted: Field): JsonObject {
  return { ...typeJson(wanted), value: NO_VALUE };
}

/** What was typed for a type, as the format has it; the text itself where it does not fit yet. */
export function literalOf(text: string, { type }: Field): Json {
  if (type === "integer" && /^-?\d{1,15}$/.test(text.trim())) return Number(text);
  if (type === "float" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text);
  if (type === "boolean") return text === "true";
  return text;
}
