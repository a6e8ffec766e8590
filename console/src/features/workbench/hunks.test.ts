import { expect, test } from "vitest";
import { hunksOf, isChange, textOf } from "./hunks";

const LEFT = "You are kind. You answer at length.\n\nNever guess.\n";
const RIGHT = "You are kind. You answer in one sentence.\n\nNever guess. Name your source.\n";

function changes(left: string, right: string) {
  return hunksOf(left, right).filter(isChange);
}

test("sentences that stay are not asked about", () => {
  expect(changes(LEFT, RIGHT)).toEqual([
    { left: "You answer at length.", right: "You answer in one sentence." },
    { left: "", right: " Name your source." },
  ]);
});

test.each([
  [LEFT, RIGHT],
  ["", RIGHT],
  [LEFT, ""],
  ["One\ntwo", "One\n\nthree\ntwo"],
  ["你好。请简短。", "你好。请详细一点！谢谢。"],
  ["e.g. this", "i.e. that..."],
])("all or none of the changes give either text: %j", (left, right) => {
  const hunks = hunksOf(left, right);
  expect(textOf(hunks, new Set())).toBe(left);
  expect(textOf(hunks, new Set(hunks.keys()))).toBe(right);
});

test("one change is taken without the other", () => {
  const hunks = hunksOf(LEFT, RIGHT);
  const first = hunks.findIndex(isChange);
  expect(textOf(hunks, new Set([first]))).toBe(
    "You are kind. You answer in one sentence.\n\nNever guess.\n",
  );
});

test("equal texts have nothing to take", () => {
  expect(changes(LEFT, LEFT)).toEqual([]);
});

test("line ends between two changes belong to one of them", () => {
  expect(changes("First.\nSecond.\n", "Third.\nFourth.\n")).toHaveLength(1);
});
