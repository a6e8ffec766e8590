/** Seconds since 1970 from which and up to which runs are shown; without an end, up to now. */
export type Range = { since: number; until: number | undefined };
export type Interval = "minute" | "hour" | "day";
export type Bin = { at: number; runs: number; errors: number };

const HOUR = 3600;
const DAY = 24 * HOUR;
const PRESETS = {
  "1h": HOUR,
  "24h": DAY,
  "7d": 7 * DAY,
  "30d": 30 * DAY,
  "90d": 90 * DAY,
} as const;
export type Preset = keyof typeof PRESETS;
export const TIMES: readonly Preset[] = ["1h", "24h", "7d", "30d", "90d"];
export const USUAL: Preset = "7d";
const STEPS: Readonly<Record<Interval, number>> = { minute: 60, hour: HOUR, day: DAY };

/** Reads what the address says: a length back from now, or two times. */
export function rangeOf(time: string | undefined, now: number): Range {
  const preset = TIMES.find((each) => each === time);
  const [since, until] = (time ?? "").split("-").map(Number);
  if (preset === undefined && since && until && since < until) return { since, until };
  return { since: now - PRESETS[preset ?? USUAL], until: undefined };
}

function timeOf(since: number, until: number): string {
  return `${since}-${until}`;
}

/** How long a bar of the chart is, so that it has some dozens of them. */
export function intervalOf({ since, until }: Range, now: number): Interval {
  const length = (until ?? now) - since;
  if (length <= 3 * HOUR) return "minute";
  return length <= 8 * DAY ? "hour" : "day";
}

/** A bin for each interval, whether anything ran in it or not; days are those of UTC. */
export function binsOf(
  points: readonly { at: number; figures: { runs: number; errors: number } }[],
  range: Range,
  interval: Interval,
  now: number,
): readonly Bin[] {
  const step = STEPS[interval];
  const known = new Map(points.map((point) => [point.at, point.figures]));
  const bins: Bin[] = [];
  for (let at = range.since - (range.since % step); at < (range.until ?? now); at += step) {
    const figures = known.get(at);
    bins.push({ at, runs: figures?.runs ?? 0, errors: figures?.errors ?? 0 });
  }
  return bins;
}

/** The time that some bins take together. */
export function timeOfBins(bins: readonly Bin[], first: number, last: number, step: Interval) {
  const from = bins[first]?.at ?? 0;
  const to = (bins[last]?.at ?? 0) + STEPS[step];
  return timeOf(from, to);
}
