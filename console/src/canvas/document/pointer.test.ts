// @vitest-environment node
import { expect, test } from "vitest";
import { pathOf, pathWithin, pointerOf } from "./pointer";

test("a pointer leads to the place that it was made of", () => {
  const path = ["nodes", 3, "data", "a/b", "c~1", "d"];
  expect(pointerOf(path)).toBe("/nodes/3/data/a~1b/c~01/d");
  expect(pathOf(pointerOf(path))).toEqual(path);
  expect(pathOf("")).toEqual([]);
});

test("a pointer into a node says where in it, whatever the case of names", () => {
  expect(pathWithin(["nodes", 1], "/Nodes/1/data/inputs")).toEqual(["data", "inputs"]);
  expect(pathWithin(["nodes", 1], "/nodes/1")).toBeUndefined();
  expect(pathWithin(["nodes", 1], "/nodes/10/data")).toBeUndefined();
});
