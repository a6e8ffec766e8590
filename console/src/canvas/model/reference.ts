import { at, items, textOf } from "../document/read";
import type { Path, Value } from "../document/tree";

/** A place in a node that reads an output of a node, or a variable. */
export type Reference = {
  /** From the node to the content of the reference. */
  readonly path: Path;
  readonly source: string;
  readonly blockId: string;
  /** The names that lead to the value. */
  readonly segments: readonly string[];
};

const found = new WeakMap<Value, readonly Reference[]>();

/** Everything that a node refers to; nodes inside it are not looked into. */
export function referencesIn(node: Value): readonly Reference[] {
  const known = found.get(node);
  if (known) return known;
  const all: Reference[] = [];
  collect(at(node, ["data"]), ["data"], all);
  found.set(node, all);
  return all;
}

function collect(value: Value | undefined, path: Path, into: Reference[]): void {
  if (value?.kind === "list") {
    items(value).forEach((each, index) => {
      collect(each, [...path, index], into);
    });
    return;
  }
  if (value?.kind !== "object") return;
  const source = textOf(at(value, ["source"]));
  if (source && at(value, ["blockID"])) {
    into.push(referenceAt(value, path, source));
    return;
  }
  for (const each of value.members) collect(each.value, [...path, each.name], into);
}

function referenceAt(content: Value, path: Path, source: string): Reference {
  const name = textOf(at(content, ["name"]));
  const names = name ? name.split(".") : items(at(content, ["path"])).map(textOf);
  return { path, source, blockId: textOf(at(content, ["blockID"])), segments: names };
}

/** Reads what stands in the value of an input, if it is a reference. */
export function referenceOf(input: Value | undefined): Reference | undefined {
  const content = at(input, ["value", "content"]);
  if (textOf(at(input, ["value", "type"])) !== "ref" || content?.kind !== "object")
    return undefined;
  const made = referenceAt(content, ["value", "content"], textOf(at(content, ["source"])));
  const isSet = made.blockId !== "" || made.segments.length > 0;
  return isSet ? made : undefined;
}

/** The names of inputs that a text reads, as `{{name}}`, `{{name.deeper}}` or `{{name[0]}}`. */
export function templateNames(text: string): readonly string[] {
  const names = [...text.matchAll(/\{\{ *([^{}]+?) *\}\}/g)].map(
    ([, path = ""]) => /^[^.[]*/.exec(path)?.[0] ?? "",
  );
  return [...new Set(names)].filter((each) => each !== "");
}

/** A text with one of its inputs called otherwise. */
export function renamedInText(text: string, from: string, to: string): string {
  return text.replace(/(\{\{ *)([^{}.[\] ]+)/g, (all, open: string, name: string) =>
    name === from ? open + to : all,
  );
}

/** A text of an HTTP node with an output of another node called otherwise. */
export function renamedOutputInText(text: string, id: string, from: string, to: string): string {
  return text.replace(/(\{\{ *block_output_([^.\s}]+)\.)([^.[\s}]+)/g, (all, ahead, node, name) =>
    node === id && name === from ? `${ahead}${to}` : all,
  );
}
