import type { Statistics } from "./queries";

const HOUR_S = 3600;
const HOURS = 24;

type Figures = NonNullable<Statistics["items"][number]>["total"];

/** One number of a day: what it came to, its course, and what it was the day before. */
export type Figure = {
  key: "runs" | "errors" | "firstToken" | "lateToken" | "tokens" | "cost";
  value: number | undefined;
  before: number | undefined;
  hours: readonly number[];
};

const READ: Readonly<Record<Figure["key"], (figures: Figures) => number | undefined>> = {
  runs: (figures) => figures.runs,
  errors: (figures) => figures.errors,
  firstToken: (figures) => figures.first_token_p50_ms ?? undefined,
  lateToken: (figures) => figures.first_token_p95_ms ?? undefined,
  tokens: (figures) => figures.input_tokens + figures.output_tokens,
  cost: (figures) => Number(figures.cost),
};
const KEYS = ["runs", "errors", "firstToken", "lateToken", "tokens", "cost"] as const;
/** Of what nobody measured there is no number, and not nought. */
export const MEASURED: ReadonlySet<Figure["key"]> = new Set(["firstToken", "lateToken"]);

/** What a day came to; hours in which nothing ran count as none. */
export function figuresOf(day: Statistics, before: Statistics | undefined): readonly Figure[] {
  const series = day.items[0];
  const points = new Map(series?.points.map((point) => [point.at, point.figures]));
  const last = day.until - (day.until % HOUR_S);
  const hours = Array.from({ length: HOURS }, (_, index) => last - (HOURS - 1 - index) * HOUR_S);
  return KEYS.map((key) => {
    const read = READ[key];
    const total = series?.total;
    const old = before?.items[0]?.total;
    return {
      key,
      value: total ? read(total) : MEASURED.has(key) ? undefined : 0,
      before: old ? read(old) : undefined,
      hours: hours.map((at) => {
        const figures = points.get(at);
        return figures ? (read(figures) ?? 0) : 0;
      }),
    };
  });
}

/** By what share a number changed; nothing where there was none before. */
export function changeOf({ value, before }: Figure): number | undefined {
  return value === undefined || !before ? undefined : value / before - 1;
}
