import { expect, test } from "vitest";
import { moved } from "./moved";

test("a thing changes places with its neighbour, and stays at the ends", () => {
  const all = ["a", "b", "c"];
  expect(moved(all, 0, 1)).toEqual(["b", "a", "c"]);
  expect(moved(all, 2, -1)).toEqual(["a", "c", "b"]);
  expect(moved(all, 0, -1)).toEqual(all);
  expect(moved(all, 2, 1)).toEqual(all);
});
