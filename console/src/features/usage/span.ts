export const PERIODS = ["day", "week", "month", "quarter", "year"] as const;
export type Period = (typeof PERIODS)[number];
type Interval = "hour" | "day" | "month";

/** A stretch of time in Unix seconds, and the steps that suit it. */
export type Span = { since: number; until: number; interval: Interval };

/** Usage is kept by quarters of an hour. */
const QUARTER_S = 900;
const DAYS = { day: 0, week: 6, month: 29, quarter: 89, year: 0 } as const;
const INTERVALS = {
  day: "hour",
  week: "day",
  month: "day",
  quarter: "day",
  year: "month",
} as const;

/** The time up to now, from the beginning of an hour, day or month of this browser's zone. */
export function spanOf(period: Period, nowS: number): Span {
  const until = Math.ceil((nowS + 1) / QUARTER_S) * QUARTER_S;
  const now = new Date(nowS * 1000);
  const begin = floored(now, INTERVALS[period]);
  if (period === "day") begin.setHours(begin.getHours() - 23);
  else if (period === "year") begin.setMonth(begin.getMonth() - 11);
  else begin.setDate(begin.getDate() - DAYS[period]);
  return { since: seconds(begin), until, interval: INTERVALS[period] };
}

/** As long a time, just before. */
export function before({ since, until, interval }: Span): Span {
  return { since: since - (until - since), until: since, interval };
}

/** When the steps of a time begin; those without calls, too, which a report leaves out. */
export function stepsOf({ since, until, interval }: Span): readonly number[] {
  const steps: number[] = [];
  const at = floored(new Date(since * 1000), interval);
  while (seconds(at) < until) {
    steps.push(seconds(at));
    // The clock of an hour that comes twice a year is not to be read: its seconds are.
    if (interval === "hour") at.setTime(at.getTime() + 3_600_000);
    else if (interval === "day") at.setDate(at.getDate() + 1);
    else at.setMonth(at.getMonth() + 1);
  }
  return steps;
}

function floored(date: Date, interval: Interval): Date {
  const at = new Date(date);
  at.setMinutes(0, 0, 0);
  if (interval !== "hour") at.setHours(0);
  if (interval === "month") at.setDate(1);
  return at;
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
