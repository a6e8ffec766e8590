import { expect, test } from "vitest";
import { arranged, moved, resized, widthsOf } from "./arrangement";
import { edgesOf } from "./use-columns-in-sight";

const COLUMNS = ["title", "price", "due"].map((key) => ({ key }));
const keys = (columns: readonly { key: string }[]) => columns.map(({ key }) => key);

test("columns stand where somebody put them, new ones behind the one they were made after", () => {
  const places = moved(COLUMNS, [], "due", 0);
  expect(keys(arranged(COLUMNS, places))).toEqual(["due", "title", "price"]);
  const more = [{ key: "id" }, ...COLUMNS, { key: "note" }].filter(({ key }) => key !== "price");
  expect(keys(arranged(more, places))).toEqual(["id", "due", "note", "title"]);
});

test("a column keeps its width when it moves, and gives it up when that is wanted", () => {
  const wide = resized(COLUMNS, [], "title", 300);
  const places = moved(arranged(COLUMNS, wide), wide, "title", 2);
  const columns = arranged(COLUMNS, places);
  expect(keys(columns)).toEqual(["price", "due", "title"]);
  expect(widthsOf(columns, places)).toEqual([undefined, undefined, 300]);
  const narrow = resized(columns, places, "title", undefined);
  expect(widthsOf(columns, narrow)).toEqual([undefined, undefined, undefined]);
});

test("columns that nobody sized share the room, and none is too narrow to be read", () => {
  expect(edgesOf([100, undefined, undefined], 700)).toEqual([0, 100, 400, 700]);
  expect(edgesOf([100, undefined], 150)).toEqual([0, 100, 252]);
  expect(edgesOf([100, 80], 700)).toEqual([0, 100, 180]);
});
