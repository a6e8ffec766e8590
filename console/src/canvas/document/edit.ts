import { child, isObject, type Json, type JsonObject, memberIndex, toJson } from "./read";
import type { Item, ListValue, Member, ObjectValue, Path, Value } from "./tree";

/** An edit that leads to a place which the document does not have. */
class NoSuchPlace extends Error {
  override readonly name = "NoSuchPlace";
}

/** Puts a value in the place of another; everything beside the path stays what it was. */
export function replaced(root: Value, path: Path, value: Value): Value {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const old = child(root, key);
  if (old === undefined) throw new NoSuchPlace(String(key));
  const made = replaced(old, rest, value);
  if (made === old) return root;
  if (root.kind === "object" && typeof key === "string") {
    const index = memberIndex(root, key);
    return { ...root, members: withValue(root.members, index, made) };
  }
  if (root.kind === "list" && typeof key === "number") {
    return { ...root, items: withValue(root.items, key, made) };
  }
  throw new NoSuchPlace(String(key));
}

/** Sets what stands at a place; objects on the way that are missing are made. */
export function set(root: Value, path: Path, json: Json): Value {
  const old = path.reduce<Value | undefined>(child, root);
  if (old !== undefined) {
    if (isSame(toJson(old), json)) return root;
    return replaced(root, path, made(json, styleAt(root, path)));
  }
  const name = path.at(-1);
  const parentPath = path.slice(0, -1);
  const parent = parentPath.reduce<Value | undefined>(child, root);
  if (typeof name === "number") {
    const list = parent?.kind === "list" ? parent : undefined;
    if (!list) return set(root, parentPath, [json]);
    return insert(root, parentPath, name, json);
  }
  if (name === undefined) throw new NoSuchPlace("");
  if (parent?.kind !== "object") return set(root, parentPath, { [name]: json });
  return replaced(
    root,
    parentPath,
    withMember(parent, name, made(json, styleAt(root, path)), styleAt(root, path)),
  );
}

/** Puts a member into an object as it is, with all its characters. */
export function addMember(root: Value, path: Path, name: string, value: Value): Value {
  const parent = path.reduce<Value | undefined>(child, root);
  if (parent?.kind !== "object") throw new NoSuchPlace(path.join("."));
  return replaced(root, path, withMember(parent, name, value, styleAt(root, [...path, name])));
}

/** Puts an item into a list; behind the end it becomes the last one. */
export function insert(root: Value, path: Path, index: number, json: Json): Value {
  const style = styleAt(root, [...path, 0]);
  return insertValue(root, path, index, made(json, style));
}

/** Puts a value into a list as it is, with all its characters. */
export function insertValue(root: Value, path: Path, index: number, value: Value): Value {
  const list = listAt(root, path);
  const style = styleAt(root, [...path, 0]);
  const place = Math.min(Math.max(index, 0), list.items.length);
  if (list.items.length === 0) {
    const closing = style.isCompact ? list.inner : outer(style);
    const item = { before: style.isCompact ? "" : style.lead, value, after: closing };
    return replaced(root, path, { ...list, items: [item], inner: "" });
  }
  const items = [...list.items];
  const neighbour = items[Math.min(place, items.length - 1)];
  const last = items.at(-1);
  const isLast = place === items.length;
  const first = items[0];
  const item: Item = {
    before: place === 0 ? (first?.before ?? "") : (items.at(-1)?.before ?? style.lead),
    value,
    after: isLast ? (last?.after ?? "") : between(items),
  };
  if (place === 0 && neighbour && items.length === 1) {
    items[0] = { ...neighbour, before: style.isCompact ? style.gap : neighbour.before };
  }
  if (isLast && last) items[items.length - 1] = { ...last, after: between(items) };
  items.splice(place, 0, isLast && items.length === 1 ? gapped(item, style) : item);
  return replaced(root, path, { ...list, items });
}

export function removeItem(root: Value, path: Path, index: number): Value {
  const list = listAt(root, path);
  const gone = list.items[index];
  if (!gone) throw new NoSuchPlace(String(index));
  const items = list.items.filter((_, each) => each !== index);
  return replaced(root, path, { ...list, items: closed(items, index, gone) });
}

/** Takes all items out that are not wanted any more. */
export function keepItems(root: Value, path: Path, isKept: (value: Value) => boolean): Value {
  const list = path.reduce<Value | undefined>(child, root);
  if (list?.kind !== "list") return root;
  const doomed = list.items.flatMap((each, index) => (isKept(each.value) ? [] : [index]));
  return doomed.reduceRight((edited, index) => removeItem(edited, path, index), root);
}

/** Moves an item of a list; the white space stays where it is. */
export function moveItem(root: Value, path: Path, from: number, to: number): Value {
  const list = listAt(root, path);
  const values = list.items.map((each) => each.value);
  const [moved] = values.splice(from, 1);
  if (!moved) throw new NoSuchPlace(String(from));
  values.splice(to, 0, moved);
  const items = list.items.map((each, at) => ({ ...each, value: values[at] ?? each.value }));
  return replaced(root, path, { ...list, items });
}

/** Takes a member out; nothing happens where there is none. */
export function removeMember(root: Value, path: Path): Value {
  const name = path.at(-1);
  const parentPath = path.slice(0, -1);
  const parent = parentPath.reduce<Value | undefined>(child, root);
  if (parent?.kind !== "object" || typeof name !== "string") return root;
  const index = memberIndex(parent, name);
  const gone = parent.members[index];
  if (!gone) return root;
  const members = parent.members.filter((_, each) => each !== index);
  return replaced(root, parentPath, { ...parent, members: closed(members, index, gone) });
}

/** How new text is laid out at a place: as its neighbours are. */
type Style = {
  readonly isCompact: boolean;
  /** White space before a new part. */
  readonly lead: string;
  /** White space before the next part on the same line. */
  readonly gap: string;
  readonly unit: string;
  readonly colon: string;
};

function styleAt(root: Value, path: Path): Style {
  const firstOfAll = root.kind === "object" ? root.members[0] : undefined;
  const unit = /\n([ \t]+)$/.exec(firstOfAll?.before ?? "")?.[1] ?? "";
  const colon = firstOfAll?.colon ?? ":";
  const isCompact = unit === "";
  const breaks = firstOfAll?.before.includes("\r\n") ? "\r\n" : "\n";
  return {
    isCompact,
    lead: isCompact ? "" : breaks + unit.repeat(path.length),
    gap: isCompact ? gapOf(root) : "",
    unit,
    colon,
  };
}

/** What follows a comma in a text without lines. */
function gapOf(root: Value): string {
  return root.kind === "object" ? (root.members[1]?.before ?? "") : "";
}

function outer(style: Style): string {
  return style.unit ? style.lead.slice(0, -style.unit.length) : "";
}

function gapped(item: Item, style: Style): Item {
  return style.isCompact && item.before === "" ? { ...item, before: style.gap } : item;
}

function between(items: readonly { after: string }[]): string {
  return items.length > 1 ? (items[0]?.after ?? "") : "";
}

/** New text for a value, laid out in a style. */
function made(json: Json, style: Style): Value {
  if (Array.isArray(json)) {
    if (json.length === 0) return { kind: "list", items: [], inner: "" };
    return laid(json, style);
  }
  if (isObject(json)) return laidObject(json, style);
  return { kind: "leaf", raw: JSON.stringify(json) };
}

function deeper(style: Style): Style {
  return style.isCompact ? style : { ...style, lead: style.lead + style.unit };
}

function laid(json: readonly Json[], style: Style): ListValue {
  const inner = deeper(style);
  const items = json.map((each, index) => ({
    before: style.isCompact ? (index > 0 ? style.gap : "") : inner.lead,
    value: made(each, inner),
    after: index === json.length - 1 && !style.isCompact ? style.lead : "",
  }));
  return { kind: "list", items, inner: "" };
}

function laidObject(json: JsonObject, style: Style): Value {
  const inner = deeper(style);
  const entries = Object.entries(json).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const members = entries.map(({ name, value }, index) => ({
    before: style.isCompact ? (index > 0 ? style.gap : "") : inner.lead,
    rawName: JSON.stringify(name),
    name,
    colon: style.colon,
    value: made(value, inner),
    after: index === entries.length - 1 && !style.isCompact ? style.lead : "",
  }));
  return { kind: "object", members, inner: "" };
}

function withMember(parent: ObjectValue, name: string, value: Value, style: Style): ObjectValue {
  const rawName = JSON.stringify(name);
  const last = parent.members.at(-1);
  if (!last) {
    const after = style.isCompact ? parent.inner : outer(style);
    const before = style.isCompact ? "" : style.lead;
    const only: Member = { before, rawName, name, colon: style.colon, value, after };
    return { ...parent, members: [only], inner: "" };
  }
  const single = parent.members.length === 1;
  const before = single && style.isCompact ? style.gap : last.before;
  const added: Member = { before, rawName, name, colon: last.colon, value, after: last.after };
  const kept = [...parent.members.slice(0, -1), { ...last, after: between(parent.members) }];
  return { ...parent, members: [...kept, added] };
}

/** What is left when a part is taken out: the brackets keep the white space beside them. */
function closed<T extends { readonly before: string; readonly after: string }>(
  parts: readonly T[],
  index: number,
  gone: { readonly before: string; readonly after: string },
): readonly T[] {
  if (parts.length === 0) return parts;
  return parts.map((each, at) => ({
    ...each,
    before: index === 0 && at === 0 ? gone.before : each.before,
    after: index === parts.length && at === parts.length - 1 ? gone.after : each.after,
  }));
}

function withValue<T extends { readonly value: Value }>(
  parts: readonly T[],
  index: number,
  value: Value,
): readonly T[] {
  return parts.map((each, at) => (at === index ? { ...each, value } : each));
}

function listAt(root: Value, path: Path): ListValue {
  const list = path.reduce<Value | undefined>(child, root);
  if (list?.kind !== "list") throw new NoSuchPlace(path.join("."));
  return list;
}

/** Whether two values say the same; the order of names does not matter. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  const left = new Map(Object.entries(one));
  const right = new Map(Object.entries(other));
  return (
    names.length === right.size && names.every((name) => isSame(left.get(name), right.get(name)))
  );
}
