/**
 * The tree of a JSON text that keeps every character: leaves hold their raw text, containers the
 * white space between their parts. Values are never changed, an edit makes new ones along its path.
 */
type Leaf = { readonly kind: "leaf"; readonly raw: string };

export type Member = {
  /** White space before the name. */
  readonly before: string;
  /** The name as it is written, with its quotes. */
  readonly rawName: string;
  readonly name: string;
  /** What stands between name and value: the colon with its white space. */
  readonly colon: string;
  readonly value: Value;
  /** White space between the value and what follows. */
  readonly after: string;
};

export type ObjectValue = {
  readonly kind: "object";
  readonly members: readonly Member[];
  /** White space in an object without members. */
  readonly inner: string;
};

export type Item = { readonly before: string; readonly value: Value; readonly after: string };

export type ListValue = {
  readonly kind: "list";
  readonly items: readonly Item[];
  readonly inner: string;
};

export type Value = Leaf | ObjectValue | ListValue;

export type CanvasText = {
  readonly before: string;
  readonly value: Value;
  readonly after: string;
};

/** Names and positions that lead from the top to a value; names are found whatever their case. */
export type Path = readonly (string | number)[];

const written = new WeakMap<Value, string>();

/** The text of a value; what did not change is not put together again. */
export function write(value: Value): string {
  if (value.kind === "leaf") return value.raw;
  const known = written.get(value);
  if (known !== undefined) return known;
  const text = value.kind === "object" ? writeObject(value) : writeList(value);
  written.set(value, text);
  return text;
}

function writeObject({ members, inner }: ObjectValue): string {
  if (members.length === 0) return `{${inner}}`;
  const parts = members.map(
    (each) => each.before + each.rawName + each.colon + write(each.value) + each.after,
  );
  return `{${parts.join(",")}}`;
}

function writeList({ items, inner }: ListValue): string {
  if (items.length === 0) return `[${inner}]`;
  return `[${items.map((each) => each.before + write(each.value) + each.after).join(",")}]`;
}

export function writeText({ before, value, after }: CanvasText): string {
  return before + write(value) + after;
}
