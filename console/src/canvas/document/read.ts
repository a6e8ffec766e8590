import type { ListValue, Member, ObjectValue, Path, Value } from "./tree";

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json | undefined };

export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** The member with a name: as it is written, else whatever its case; of several the last one. */
export function memberIndex(value: ObjectValue, name: string): number {
  const { members } = value;
  for (let at = members.length - 1; at >= 0; at -= 1) if (members[at]?.name === name) return at;
  const folded = name.toLowerCase();
  for (let at = members.length - 1; at >= 0; at -= 1) {
    if (members[at]?.name.toLowerCase() === folded) return at;
  }
  return -1;
}

export function member(value: ObjectValue, name: string): Member | undefined {
  return value.members[memberIndex(value, name)];
}

/** The value behind a name or at a position; nothing where there is none. */
export function child(value: Value | undefined, key: string | number): Value | undefined {
  if (value?.kind === "object" && typeof key === "string") return member(value, key)?.value;
  if (value?.kind === "list" && typeof key === "number") return value.items[key]?.value;
  return undefined;
}

export function at(value: Value | undefined, path: Path): Value | undefined {
  return path.reduce(child, value);
}

const plain = new WeakMap<Value, Json>();

/** A value as JavaScript has it. Numbers may lose digits: for reading, never for writing. */
export function toJson(value: Value): Json {
  const known = plain.get(value);
  if (known !== undefined) return known;
  const made = madeJson(value);
  plain.set(value, made);
  return made;
}

function madeJson(value: Value): Json {
  switch (value.kind) {
    case "leaf": {
      const read: Json = JSON.parse(value.raw);
      return read;
    }
    case "list":
      return value.items.map((each) => toJson(each.value));
    case "object":
      return Object.fromEntries(value.members.map((each) => [each.name, toJson(each.value)]));
  }
}

export function textOf(value: Value | undefined): string {
  return textOr(value, "");
}

/** The text of a string, the digits of a number; anything else is `other`. */
export function textOr(value: Value | undefined, other: string): string {
  if (value?.kind !== "leaf") return other;
  if (!value.raw.startsWith('"')) return /^[-\d]/.test(value.raw) ? value.raw : other;
  const said = toJson(value);
  return typeof said === "string" ? said : other;
}

export function numberOf(value: Value | undefined): number | undefined {
  if (value?.kind !== "leaf") return undefined;
  const said = toJson(value);
  const number = typeof said === "string" && said.trim() !== "" ? Number(said) : said;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

export function isTrue(value: Value | undefined): boolean {
  return value?.kind === "leaf" && /^"?true"?$/i.test(value.raw);
}

export function items(value: Value | undefined): readonly Value[] {
  return value?.kind === "list" ? itemValues(value) : [];
}

const listed = new WeakMap<ListValue, readonly Value[]>();

function itemValues(value: ListValue): readonly Value[] {
  let values = listed.get(value);
  if (!values) {
    values = value.items.map((each) => each.value);
    listed.set(value, values);
  }
  return values;
}
