import { expect, test } from "vitest";
import type { UsageReport, UsageSums } from "../../api/schema";
import { amountIn, groupKey, roundAbove, seriesOf, usualMetric } from "./metric";

function sums(calls: number, cost: string | null = null): UsageSums {
  return {
    calls,
    failed_calls: 0,
    estimated_calls: 0,
    input_tokens: calls * 10,
    output_tokens: calls,
    cached_tokens: 0,
    reasoning_tokens: 0,
    pages: 0,
    points: "0",
    cost,
    other_costs: {},
    calls_without_points: 0,
    calls_without_cost: 0,
    unsettled: null,
  };
}

function report(groups: readonly number[], count = groups.length): UsageReport {
  const all = groups.reduce((sum, each) => sum + each, 0);
  return {
    since: 0,
    until: 3,
    zone: "UTC",
    currency: "USD",
    total: sums(all + 1),
    series: [{ at: 1, total: sums(all + 1) }],
    groups: groups.map((calls, index) => ({
      values: { agent: String(index) },
      total: sums(calls),
      series: [{ at: 1, total: sums(calls) }],
    })),
    group_count: count,
    rest: null,
  };
}

test("the largest groups are drawn, and the rest is what is left of the whole", () => {
  const series = seriesOf(report([1, 2, 3, 4, 5, 6, 7, 8]), "calls", [0, 1, 2]);
  expect(series.map(({ values }) => values[1])).toEqual([8, 7, 6, 5, 4, 3, 4]);
  expect(series.map(({ values }) => values[0])).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(series.at(-1)?.group).toBeUndefined();
});

test("without groups the whole is one series", () => {
  const series = seriesOf(report([]), "calls", [1]);
  expect(series).toEqual([{ key: "", group: undefined, values: [1] }]);
});

test("money is looked at where there is any", () => {
  expect(usualMetric(sums(1, "0.2"))).toBe("cost");
  expect(usualMetric(sums(1, "0"))).toBe("tokens");
  expect(amountIn("tokens", sums(2))).toBe(22);
  expect(groupKey({ agent: "1", model: "m" })).toBe("1\nm");
});

test.each([
  [0, 1],
  [3, 4],
  [41, 50],
  [99, 100],
  [0.0031, 0.004],
])("above %d stands %d", (value, above) => {
  expect(roundAbove(value)).toBeCloseTo(above, 10);
});
