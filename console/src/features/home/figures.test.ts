import { expect, test } from "vitest";
import { changeOf, figuresOf } from "./figures";
import type { Statistics } from "./queries";

const HOUR = 3600;
const UNTIL = 1_790_000_000 - (1_790_000_000 % HOUR) + 120;

function day(runs: number, at?: number): Statistics {
  const figures = {
    runs,
    errors: 1,
    duration_p50_us: 1,
    duration_p95_us: 1,
    first_token_p50_ms: null,
    first_token_p95_ms: 900,
    input_tokens: 40,
    output_tokens: 2,
    cost: "0.5",
  };
  return {
    since: UNTIL - 24 * HOUR,
    until: UNTIL,
    items: [{ key: "", total: figures, points: at === undefined ? [] : [{ at, figures }] }],
  };
}

test("a day has 24 hours that end with the running one, empty ones included", () => {
  const [runs] = figuresOf(day(7, UNTIL - 120), undefined);
  expect(runs?.hours).toEqual([...Array.from({ length: 23 }, () => 0), 7]);
});

test("a change is told only against a day that had some", () => {
  const figures = figuresOf(day(3), day(2));
  const change = Object.fromEntries(figures.map((each) => [each.key, changeOf(each)]));
  expect(change).toEqual({
    runs: 0.5,
    errors: 0,
    firstToken: undefined,
    lateToken: 0,
    tokens: 0,
    cost: 0,
  });
  expect(figuresOf(day(3), undefined).map(changeOf)).toEqual(Array.from({ length: 6 }));
});

test("a day without runs has noughts, and no time to a first token", () => {
  const empty: Statistics = { since: 0, until: UNTIL, items: [] };
  const values = figuresOf(empty, empty).map((each) => each.value);
  expect(values).toEqual([0, 0, undefined, undefined, 0, 0]);
});
