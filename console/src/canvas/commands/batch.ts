import { at, isTrue, items, type Json, type JsonObject, toJson } from "../document/read";
import type { Value } from "../document/tree";
import { fieldJson } from "../forms/input";
import { field, fieldOf } from "../model/field";
import { type CanvasNode, graphOf } from "../model/graph";
import { setInNode } from "./nodes";

const BATCH = ["data", "inputs", "batch"];
const OUTPUTS = ["data", "outputs"];
const LIST = "outputList";
const FIRST: JsonObject = {
  batchEnable: true,
  batchSize: 100,
  concurrentSize: 10,
  inputLists: [],
};

export function isBatched(node: CanvasNode): boolean {
  return isTrue(at(node.value, [...BATCH, "batchEnable"]));
}

/** What a node declares to give: as such, or one list of it where it runs for each element. */
export function declared(outputs: readonly Json[], isList: boolean): readonly Json[] {
  if (!isList) return outputs;
  const list = fieldJson(field(LIST, "list", { item: field("", "object") }));
  return [{ ...list, schema: { type: "object", schema: [...outputs] } }];
}

/** Lets a node run for each element of lists, or once again; its outputs change their form. */
export function setBatched(root: Value, id: string, isOn: boolean): Value {
  const node = graphOf(root).nodes.get(id);
  if (!node || isBatched(node) === isOn) return root;
  const outputs = items(at(node.value, OUTPUTS));
  const [only] = outputs;
  const holds = only && outputs.length === 1 ? fieldOf(only) : undefined;
  const isWrapped = holds?.type === "list" && holds.item?.type === "object";
  const inner = items(at(only, ["schema", "schema"])).map(toJson);
  const next = isOn
    ? isWrapped && holds.name === LIST
      ? outputs.map(toJson)
      : declared(outputs.map(toJson), true)
    : isWrapped
      ? inner
      : outputs.map(toJson);
  const batched = at(node.value, BATCH)
    ? setInNode(root, id, [...BATCH, "batchEnable"], isOn)
    : setInNode(root, id, BATCH, FIRST);
  return setInNode(batched, id, OUTPUTS, next);
}
