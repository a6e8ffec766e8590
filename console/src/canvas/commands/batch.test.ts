// @vitest-environment node
import { expect, test } from "vitest";
import { parse } from "../document/parse";
import { at, textOf, toJson } from "../document/read";
import { write } from "../document/tree";
import { graphOf } from "../model/graph";
import { inputsOf, outputsOf } from "../model/output";
import { example } from "../testing/examples";
import { isBatched, setBatched } from "./batch";
import { renameList } from "./rename";

const MODEL = "109001";

test("outputs become one list where a node runs for each element, and come back", () => {
  const root = parse(example("ex10")).value;
  const node = graphOf(root).nodes.get(MODEL);
  expect(node && isBatched(node)).toBe(true);

  const off = setBatched(root, MODEL, false);
  const once = graphOf(off).nodes.get(MODEL);
  expect(once && outputsOf(once).map((each) => each.name)).toEqual(["output"]);
  const on = setBatched(off, MODEL, true);
  const again = graphOf(on).nodes.get(MODEL);
  const [list] = again ? outputsOf(again) : [];
  expect([list?.name, list?.type, list?.item?.fields.map((each) => each.name)]).toEqual([
    "outputList",
    "list",
    ["output"],
  ]);
  const batch = again && at(again.value, ["data", "inputs", "batch"]);
  const before = node && at(node.value, ["data", "inputs", "batch"]);
  expect(batch && toJson(batch)).toEqual(before && toJson(before));
});

test("what is so already stays to the byte", () => {
  const text = example("ex10");
  expect(write(setBatched(parse(text).value, MODEL, true))).toBe(text);
});

test("a list is called otherwise where the node reads its elements", () => {
  const renamed = renameList(parse(example("ex10")).value, MODEL, "w", "word");
  const node = graphOf(renamed).nodes.get(MODEL);
  const [input] = node ? inputsOf(node) : [];
  expect([input?.name, input?.reference?.segments]).toEqual(["w", ["word"]]);
  const params = node && at(node.value, ["data", "inputs", "llmParam"]);
  expect(params && JSON.stringify(toJson(params))).toContain("{{w}}");
  expect(textOf(at(node?.value, ["id"]))).toBe(MODEL);
});
