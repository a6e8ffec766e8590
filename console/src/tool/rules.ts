import type { ParameterForm, ToolView } from "../api/schema";
import { asRecord, isRecord, readJson } from "../json/json";

export type Parameter = ParameterForm;
export type ValueType = NonNullable<ParameterForm["type"]>;
export type ToolEdit = Pick<
  ToolView,
  | "name"
  | "description"
  | "method"
  | "path"
  | "parameters"
  | "responses"
  | "response_policy"
  | "body_media"
  | "effect"
  | "needs_approval"
  | "returns_directly"
  | "disabled"
> & {
  /** What was chosen here; a test call keeps one by itself where there is none. */
  example?: unknown;
};

export const STRING = 1;
export const INTEGER = 2;
export const NUMBER = 3;
export const OBJECT = 4;
export const ARRAY = 5;
export const BOOLEAN = 6;

/** The name of what a list holds; it is never sent. */
export const ITEM = "item";

const TYPES: ReadonlyMap<unknown, ValueType> = new Map<unknown, ValueType>([
  ["string", STRING],
  ["integer", INTEGER],
  ["number", NUMBER],
  ["object", OBJECT],
  ["array", ARRAY],
  ["boolean", BOOLEAN],
]);

/** What a person can change of a tool; what answers leave out as usual is filled in. */
export function editOf(tool: ToolView): ToolEdit {
  return {
    name: tool.name,
    description: tool.description,
    method: tool.method,
    path: tool.path,
    parameters: tool.parameters.map(whole),
    responses: tool.responses.map(whole),
    response_policy: tool.response_policy,
    body_media: tool.body_media,
    effect: tool.effect,
    needs_approval: tool.needs_approval,
    returns_directly: tool.returns_directly,
    disabled: tool.disabled,
  };
}

/** The example that a tool has once the edit is saved. */
export function exampleOf(tool: ToolView, edit: ToolEdit): unknown {
  return (edit.example === undefined ? tool.example : edit.example) ?? null;
}

/** Whether saving would change anything. */
export function isEdited(tool: ToolView, edit: ToolEdit): boolean {
  const { example, ...rest } = edit;
  const before = JSON.stringify([editOf(tool), tool.example ?? null]);
  return JSON.stringify([rest, exampleOf(tool, edit)]) !== before;
}

function whole(parameter: Partial<Parameter>): Parameter {
  return {
    ...newParameter(parameter.name ?? "", parameter.type ?? STRING),
    ...parameter,
    sub_parameters: (parameter.sub_parameters ?? []).map(whole),
  };
}

export function newParameter(name: string, type: ValueType = STRING): Parameter {
  return {
    name,
    description: "",
    type,
    location: "body",
    required: false,
    visible: true,
    sub_parameters: type === ARRAY ? [newParameter(ITEM)] : [],
    enum: [],
    assist_type: "",
    style: "",
    alias: "",
  };
}

/** The same parameter as another type, with what that type has inside. */
export function retyped(parameter: Parameter, type: ValueType): Parameter {
  const { default: _, local_default: __, ...rest } = parameter;
  return { ...rest, type, enum: [], sub_parameters: type === ARRAY ? [newParameter(ITEM)] : [] };
}

/** Properties of an object that a JSON Schema describes; what it leaves open is a text. */
export function parametersOf(schema: unknown): Parameter[] {
  const { properties, required } = asRecord(schema);
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(asRecord(properties)).map(([name, inner]) => ({
    ...parameterOf(name, inner),
    required: needed.has(name),
  }));
}

function parameterOf(name: string, schema: unknown): Parameter {
  const { type, description, enum: choices, items, default: preset } = asRecord(schema);
  const known = TYPES.get(type) ?? STRING;
  const made = newParameter(name, known);
  return {
    ...made,
    description: typeof description === "string" ? description : "",
    enum: Array.isArray(choices) ? choices : [],
    ...(preset === undefined ? {} : { default: preset }),
    sub_parameters:
      known === OBJECT
        ? parametersOf(schema)
        : known === ARRAY
          ? [parameterOf(ITEM, items)]
          : made.sub_parameters,
  };
}

/** A value as it is typed; nothing for none. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

type Read = { value?: unknown; isWrong?: boolean };

/** What somebody typed as a value of a type; nothing at all where the field is empty. */
export function readValue(typed: string, type: ValueType): Read {
  if (type === STRING) return typed === "" ? {} : { value: typed };
  if (typed.trim() === "") return {};
  const value = readJson(typed);
  return fits(value, type) ? { value } : { isWrong: true };
}

function fits(value: unknown, type: ValueType): boolean {
  switch (type) {
    case STRING:
      return typeof value === "string";
    case INTEGER:
      return Number.isInteger(value);
    case NUMBER:
      return typeof value === "number";
    case BOOLEAN:
      return typeof value === "boolean";
    case ARRAY:
      return Array.isArray(value);
    case OBJECT:
      return isRecord(value);
  }
}

export type Typed = Readonly<Record<string, string>>;

/** Arguments of a test call, and the names of those that cannot be read. */
export function argumentsOf(
  typed: Typed,
  parameters: readonly Parameter[],
): { values: Record<string, unknown>; wrong: readonly string[] } {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const { name, type = STRING } of parameters) {
    const read = readValue(typed[name] ?? "", type);
    if (read.isWrong) wrong.push(name);
    else if (read.value !== undefined) values[name] = read.value;
  }
  return { values, wrong };
}
