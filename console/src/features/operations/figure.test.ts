import { expect, test } from "vitest";
import { latestOf, lineOf, saidOf, topOf } from "./figure";

test("a line goes through what is known and breaks off where nothing is", () => {
  expect(lineOf([0, 1, null, 2, 1], 2, 40, 10)).toBe("M0 10L10 5M30 0L40 5");
  expect(lineOf([null, 1, null], 2, 20, 10)).toBe("M10 5h0.01");
  expect(lineOf([], 1, 20, 10)).toBe("");
});

test("the limit is in sight as soon as points come near it", () => {
  expect(topOf([0.01, 0.02], 0.25)).toBeCloseTo(0.022);
  expect(topOf([0.1], 0.25)).toBeCloseTo(0.275);
  expect(topOf([1], 0.25)).toBeCloseTo(1.1);
  expect(topOf([null, 0], null)).toBe(1);
});

test("values have their unit", () => {
  expect(saidOf("seconds", 0.84)).toBe("840 ms");
  expect(saidOf("share", 0.4)).toBe("40 %");
  expect(saidOf("bytes", 107_000_000)).toBe("107 MB");
  expect(saidOf("per_minute", 12_345)).toBe("12.3k");
});

test("the newest point that is known counts", () => {
  expect(latestOf([1, 2, null])).toBe(2);
  expect(latestOf([null])).toBeNull();
});
