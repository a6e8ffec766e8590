import { at, isTrue, items, numberOf, textOf, textOr } from "../document/read";
import type { Value } from "../document/tree";

export type FieldType = "string" | "integer" | "float" | "boolean" | "object" | "list";

/** A declared value of a node: what it is called and what it looks like. */
export type Field = {
  readonly name: string;
  readonly type: FieldType;
  /** What a text stands for: 0 nothing, 1 to 12 files, 10000 a time. */
  readonly assistType: number;
  /** Members of an object; none: anything. */
  readonly fields: readonly Field[];
  /** What a list holds. */
  readonly item: Field | undefined;
  readonly isRequired: boolean;
  readonly description: string;
};

const TYPES: readonly FieldType[] = ["string", "integer", "float", "boolean", "object", "list"];

/** Whether code and templates can call an input or output so. */
export function isInputName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

export function isFieldType(text: string): text is FieldType {
  return TYPES.some((each) => each === text);
}

export function field(name: string, type: FieldType, more: Partial<Field> = {}): Field {
  return {
    name,
    type,
    assistType: 0,
    fields: [],
    item: undefined,
    isRequired: false,
    description: "",
    ...more,
  };
}

const read = new WeakMap<Value, Field>();

/** Reads a declared field; the type of what an input wants is written the same way. */
export function fieldOf(value: Value): Field {
  const known = read.get(value);
  if (known) return known;
  const name = textOf(at(value, ["name"]));
  const type = textOr(at(value, ["type"]), "string");
  const schema = at(value, ["schema"]);
  const made = field(name, isFieldType(type) ? type : "string", {
    assistType: numberOf(at(value, ["assistType"])) ?? 0,
    fields: type === "object" ? items(schema).map(fieldOf) : [],
    item: type === "list" && schema?.kind === "object" ? fieldOf(schema) : undefined,
    isRequired: isTrue(at(value, ["required"])),
    description: textOf(at(value, ["description"])),
  });
  read.set(value, made);
  return made;
}

/** The type that an input of a node wants. */
export function wantedType(input: Value | undefined, name: string): Field {
  if (!input) return field(name, "string");
  const wanted = fieldOf(input);
  const isAssembled = textOf(at(input, ["value", "type"])) === "object_ref";
  const members = isAssembled
    ? items(at(input, ["schema"])).map((each) =>
        wantedType(at(each, ["input"]), textOf(at(each, ["name"]))),
      )
    : wanted.fields;
  return { ...wanted, name, fields: members };
}

/** The type without what is in its objects, as words and choices are looked up by it. */
export function typeKeyOf({ type, item, assistType }: Field): string {
  if (type === "list") return `list:${item ? typeKeyOf(item) : "string"}`;
  if (type === "string" && assistType === 10000) return "time";
  return type === "string" && assistType > 0 ? `file:${assistType}` : type;
}

/** How a value of one type arrives where another is wanted. */
export type Fit = "exact" | "converts" | "loses" | "mayFail" | "never";

export function fitOf(from: Field, to: Field): Fit {
  if (from.type === to.type) {
    if (from.type === "list" && from.item && to.item) return fitOf(from.item, to.item);
    return from.assistType === to.assistType || to.assistType === 0 ? "exact" : "mayFail";
  }
  if (to.type === "string") return "converts";
  if (from.type === "integer" && to.type === "float") return "converts";
  if (from.type === "float" && to.type === "integer") return "loses";
  if (from.type === "string") return "mayFail";
  if (to.type === "boolean" && (from.type === "integer" || from.type === "float")) return "loses";
  if (from.type === "boolean" && (to.type === "integer" || to.type === "float")) return "converts";
  return "never";
}
