import { expect, test } from "vitest";
import { binsOf, figureOf, firstFigure, lengthsKey, scriptKey, unfit } from "./figure";
import type { Health } from "./queries";

const HEALTH: Health = {
  slices: 20,
  examined: 20,
  shortest: 20,
  longest: 2000,
  lengths: [0, 50, 1600, 3200].map((at_least) => ({ at_least, count: 5 })),
  flaws: [
    { flaw: "empty", count: 2 },
    { flaw: "duplicate", count: 0 },
    { flaw: "never_found", count: 9 },
    { flaw: "over_long", count: 8 },
  ],
  sampled: 20,
  languages: [],
};

test("an address names what a figure counts", () => {
  expect(figureOf("duplicate")).toEqual({ flaw: "duplicate" });
  expect(figureOf("50-1600")).toEqual({ at_least: "50", below: "1600" });
  expect(figureOf("3200-")).toEqual({ at_least: "3200" });
  expect(figureOf(scriptKey("ja"))).toEqual({ script: "ja" });
});

test("bins of lengths become an address and come back", () => {
  for (const [first, last] of [
    [0, 0],
    [1, 2],
    [2, 3],
  ] as const)
    expect(binsOf(HEALTH, lengthsKey(HEALTH, first, last))).toEqual([first, last]);
  expect(binsOf(HEALTH, "empty")).toBeUndefined();
});

test("bars say how much of them is too short or too long", () => {
  expect(unfit(HEALTH)).toEqual([2, 0, 3, 5]);
});

test("what is wrong comes before what nobody asked for", () => {
  expect(firstFigure(HEALTH)).toBe("empty");
  const unread = { ...HEALTH, flaws: [{ flaw: "never_found", count: 9 }] };
  expect(firstFigure(unread)).toBe("never_found");
  expect(firstFigure({ ...HEALTH, flaws: [] })).toBeUndefined();
});
