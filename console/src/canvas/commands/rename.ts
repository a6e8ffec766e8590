import { replaced, set } from "../document/edit";
import { at, type Json, textOf } from "../document/read";
import type { Path, Value } from "../document/tree";
import { ancestors, graphOf } from "../model/graph";
import { HTTP, isComposite } from "../model/kind";
import { inputsOf } from "../model/output";
import { referencesIn, renamedInText, renamedOutputInText } from "../model/reference";

/** Calls an output of a node otherwise, wherever the canvas reads it. */
export function renameOutput(root: Value, id: string, from: string, to: string): Value {
  if (!from || from === to) return root;
  let edited = root;
  for (const node of graphOf(root).nodes.values()) {
    const isInside = ancestors(graphOf(root), node.id).includes(id);
    if (isInside) continue;
    edited = redirected(edited, node.id, id, from, to);
    if (node.type === HTTP) {
      edited = retold(edited, node.id, (text) => renamedOutputInText(text, id, from, to));
    }
  }
  return edited;
}

/** Calls an input of a node otherwise in its own texts, and in what is inside a composite. */
export function renameInput(root: Value, id: string, from: string, to: string): Value {
  const node = graphOf(root).nodes.get(id);
  if (!node || !from || from === to) return root;
  let edited = retold(root, id, (text) => renamedInText(text, from, to));
  if (!isComposite(node.type)) return edited;
  edited = redirected(edited, id, id, from, to);
  for (const each of graphOf(root).nodes.values()) {
    if (ancestors(graphOf(root), each.id).includes(id)) {
      edited = redirected(edited, each.id, id, from, to);
    }
  }
  return edited;
}

/** Calls a list otherwise whose elements a node runs for: where its inputs read one of them. */
export function renameList(root: Value, id: string, from: string, to: string): Value {
  const node = graphOf(root).nodes.get(id);
  if (!node || !from || from === to) return root;
  const edited = redirected(root, id, id, from, to);
  if (inputsOf(node).some((each) => each.name === from)) return edited;
  return retold(edited, id, (text) => renamedInText(text, from, to));
}

/** Turns the references of one node to an output of another. */
function redirected(root: Value, holder: string, id: string, from: string, to: string): Value {
  const node = graphOf(root).nodes.get(holder);
  if (!node) return root;
  let edited = root;
  for (const reference of referencesIn(node.value)) {
    if (reference.blockId !== id || reference.segments[0] !== from) continue;
    const name = [to, ...reference.segments.slice(1)].join(".");
    edited = set(edited, [...node.path, ...reference.path, "name"], name);
  }
  return edited;
}

/** Passes every text of a node's settings through a function; names and ids are no texts. */
function retold(root: Value, id: string, change: (text: string) => string): Value {
  const node = graphOf(root).nodes.get(id);
  const inputs = node && at(node.value, ["data", "inputs"]);
  if (!node || !inputs) return root;
  let edited = root;
  const walk = (value: Value, path: Path): void => {
    if (value.kind === "leaf") {
      if (!value.raw.includes("{{")) return;
      const text = textOf(value);
      const next: Json = change(text);
      if (next !== text) edited = replaced(edited, path, leaf(next));
      return;
    }
    if (value.kind === "list") {
      for (const [index, each] of value.items.entries()) walk(each.value, [...path, index]);
    } else for (const each of value.members) walk(each.value, [...path, each.name]);
  };
  walk(inputs, [...node.path, "data", "inputs"]);
  return edited;
}

function leaf(text: string): Value {
  return { kind: "leaf", raw: JSON.stringify(text) };
}
