import { expect, test } from "vitest";
import { before, PERIODS, spanOf, stepsOf } from "./span";

const NOW = new Date(2026, 10, 24, 13, 7, 30).getTime() / 1000;

test.each([
  ["day", 24],
  ["week", 7],
  ["month", 30],
  ["quarter", 90],
  ["year", 12],
] as const)("a %s has its number of steps, the last of which holds now", (period, count) => {
  const span = spanOf(period, NOW);
  const steps = stepsOf(span);
  expect(steps).toHaveLength(count);
  expect(steps[0]).toBe(span.since);
  expect(steps.at(-1)).toBeLessThanOrEqual(NOW);
  expect(span.until).toBeGreaterThan(NOW);
});

test("the time before ends where this one begins, and is as long", () => {
  for (const period of PERIODS) {
    const span = spanOf(period, NOW);
    const was = before(span);
    expect(was.until).toBe(span.since);
    expect(was.until - was.since).toBe(span.until - span.since);
  }
});

test("days begin at midnight also where the clock is changed", () => {
  const span = spanOf("quarter", NOW);
  for (const step of stepsOf(span)) expect(new Date(step * 1000).getHours()).toBe(0);
});
