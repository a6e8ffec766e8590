import { parse } from "./parse";
import { at, items, textOf } from "./read";
import type { Path, Value } from "./tree";

/** What stands around a canvas in exports of this product and of studios. */
const WRAPS: readonly Path[] = [[], ["json"], ["schema"]];

/** The part of a text that holds nodes, whatever is wrapped around it; nothing where none has any. */
export function canvasIn(text: string): Value | undefined {
  let root: Value;
  try {
    root = parse(text).value;
  } catch {
    return undefined;
  }
  return WRAPS.map((path) => at(root, path)).find((each) =>
    items(at(each, ["nodes"])).some(isNode),
  );
}

/** Whether it has what every node of a canvas has. */
export function isNode(value: Value): boolean {
  return textOf(at(value, ["id"])) !== "" && at(value, ["data"]) !== undefined;
}
