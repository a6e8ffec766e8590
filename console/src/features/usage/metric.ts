import type { UsageGroup, UsageReport, UsageSums } from "../../api/schema";
import { formatMoney } from "../../text/amounts";
import { formatNumber } from "../../text/formats";

export const METRICS = ["cost", "points", "tokens", "calls"] as const;
export type Metric = (typeof METRICS)[number];

/** How many groups are drawn apart; the others are one. */
const DRAWN = 6;

export function amountIn(metric: Metric, sums: UsageSums): number {
  switch (metric) {
    case "cost":
      return Number(sums.cost ?? 0);
    case "points":
      return Number(sums.points);
    case "tokens":
      return sums.input_tokens + sums.output_tokens;
    case "calls":
      return sums.calls;
  }
}

export function shown(metric: Metric, value: number, currency: string): string {
  return metric === "cost" ? formatMoney(value, currency) : formatNumber(value);
}

/** What is looked at first: money where models are priced in it. */
export function usualMetric(total: UsageSums): Metric {
  if (Number(total.cost ?? 0) > 0) return "cost";
  return Number(total.points) > 0 ? "points" : "tokens";
}

export type Series = { key: string; group: UsageGroup | undefined; values: readonly number[] };

/** What a chart stacks: the largest groups, and what is left of the whole. */
export function seriesOf(
  report: UsageReport,
  metric: Metric,
  steps: readonly number[],
): readonly Series[] {
  const places = new Map(steps.map((step, index) => [step, index]));
  function along(list: UsageReport["series"]): number[] {
    const values = steps.map(() => 0);
    for (const { at, total } of list) {
      const place = places.get(at);
      if (place !== undefined) values[place] = amountIn(metric, total);
    }
    return values;
  }
  const whole = along(report.series);
  const largest = [...report.groups]
    .sort((one, other) => amountIn(metric, other.total) - amountIn(metric, one.total))
    .slice(0, DRAWN);
  const drawn = largest.map((group) => ({
    key: groupKey(group.values),
    group,
    values: along(group.series),
  }));
  if (report.group_count <= drawn.length && drawn.length > 0) return drawn;
  const rest = whole.map((all, index) =>
    Math.max(0, all - drawn.reduce((sum, each) => sum + (each.values[index] ?? 0), 0)),
  );
  return [...drawn, { key: "", group: undefined, values: rest }];
}

export function groupKey(values: Readonly<Record<string, string>>): string {
  return Object.values(values).join("\n");
}

/** The round number above, of which halves are round too. */
export function roundAbove(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 5, 10].find((each) => value <= each * unit * (1 + 1e-9)) ?? 10;
  return step * unit;
}
