import { at, items, textOf, toJson } from "../document/read";
import { type Value, write } from "../document/tree";
import { referenceOf } from "../model/reference";

/** Where in a node a field stands. */
type Section = "node" | "inputs" | "outputs" | "settings";

/** What a node says at one place. */
type Said = {
  readonly section: Section;
  /** The names that lead there, as the format has them. */
  readonly names: readonly string[];
  readonly text: string;
  /** What decides whether two are the same; references by the node that they read. */
  readonly same: string;
};

/** Ids of nodes as both sides are to call them, and the titles that people read. */
export type Naming = {
  readonly idOf: (id: string) => string;
  readonly titleOf: (id: string) => string;
};

/** Looks and places, and what is compared as nodes of their own. */
const APART = new Set(["id", "meta", "blocks", "edges", "type", "_temp"]);
const LOOKS = new Set(["icon", "subtitle", "maincolor", "mainColor"]);
const DEEPEST = 24;

/** Everything that a node says, by the place where it says it. */
function fieldsOf(node: Value, naming: Naming): ReadonlyMap<string, Said> {
  const found = new Map<string, Said>();
  if (node.kind !== "object") return found;
  const add = (names: readonly string[], text: string, same = text): void => {
    const [section, rest] = placed(names);
    found.set([section, ...rest].join("\u0000"), { section, names: rest, text, same });
  };
  const read = (value: Value, names: readonly string[]): void => {
    if (names.length > DEEPEST) {
      add(names, write(value));
      return;
    }
    if (value.kind === "leaf") {
      const text = value.raw.startsWith('"') ? textOf(value) : value.raw;
      if (text !== "" && text !== "null") add(names, text);
      return;
    }
    if (value.kind === "list") {
      readList(value, names);
      return;
    }
    const held = heldIn(value, naming);
    for (const each of value.members) {
      if (held && each.name.toLowerCase() === "value") continue;
      const isType = held && each.name.toLowerCase() === "type";
      read(each.value, isType ? [...names, "type"] : [...names, each.name]);
    }
    if (held?.text) add(names, held.text, held.same);
  };
  const readList = (value: Value, names: readonly string[]): void => {
    const all = items(value);
    if (all.length === 0) return;
    if (all.every((each) => each.kind === "leaf")) {
      add(names, all.map((each) => textOf(each) || write(each)).join("\n"));
      return;
    }
    const own = all.map((each) => textOf(at(each, ["name"])));
    const isNamed = own.every(Boolean) && new Set(own).size === own.length;
    all.forEach((each, index) => {
      read(each, [...names, (isNamed && own[index]) || String(index + 1)]);
    });
  };
  for (const { name, value } of node.members) if (!APART.has(name)) read(value, [name]);
  return found;
}

/** The section that names lead to, and what is left of them. */
function placed(names: readonly string[]): readonly [Section, readonly string[]] {
  const [first, second, third, ...rest] = names;
  if (first !== "data") return ["settings", names];
  if (second === "nodeMeta") return ["node", [third ?? "", ...rest]];
  if (second === "outputs") return ["outputs", names.slice(2)];
  if (second === "inputs" && third === "inputParameters") return ["inputs", withoutInput(rest)];
  return ["settings", withoutInput(names.slice(second === "inputs" ? 2 : 1))];
}

/** An input is called by its name; that it lies in `input` says nothing. */
function withoutInput(names: readonly string[]): readonly string[] {
  return names.filter((each, index) => index === 0 || each !== "input");
}

/** What an input is filled with, as one thing: the path of a reference, or a literal. */
function heldIn(value: Value, naming: Naming): { text: string; same: string } | undefined {
  const type = textOf(at(value, ["value", "type"]));
  const content = at(value, ["value", "content"]);
  if (!type || content === undefined) return undefined;
  const reference = referenceOf(value);
  if (reference) {
    const { blockId, source, segments } = reference;
    const title = blockId ? naming.titleOf(blockId) : source;
    return {
      text: [title, ...segments].join(" · "),
      same: JSON.stringify([source, naming.idOf(blockId), segments]),
    };
  }
  if (content.kind === "leaf") {
    const text = content.raw.startsWith('"') ? textOf(content) : content.raw;
    return text === "null" ? undefined : { text, same: text };
  }
  const text = JSON.stringify(toJson(content), null, 2);
  return { text: text === "{}" || text === "[]" ? "" : text, same: text };
}

export type FieldChange = {
  readonly section: Section | "connections";
  readonly names: readonly string[];
  readonly left: string;
  readonly right: string;
};

const ORDER: readonly Section[] = ["node", "settings", "inputs", "outputs"];

/** The fields in which two states of a node differ, in the order of the form. */
export function fieldChanges(
  old: Value,
  next: Value,
  namings: { readonly old: Naming; readonly next: Naming },
): readonly FieldChange[] {
  const [before, after] = [fieldsOf(old, namings.old), fieldsOf(next, namings.next)];
  const changes: FieldChange[] = [];
  for (const key of new Set([...after.keys(), ...before.keys()])) {
    const [left, right] = [before.get(key), after.get(key)];
    const place = right ?? left;
    if (!place || left?.same === right?.same) continue;
    if (place.section === "node" && LOOKS.has(place.names[0] ?? "")) continue;
    const { section, names } = place;
    changes.push({ section, names, left: left?.text ?? "", right: right?.text ?? "" });
  }
  return changes.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ section }: FieldChange): number {
  return section === "connections" ? ORDER.length : ORDER.indexOf(section);
}
