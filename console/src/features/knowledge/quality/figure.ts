import type { Health } from "./queries";

export const FLAWS = ["empty", "duplicate", "over_long", "never_found"] as const;
export type Flaw = (typeof FLAWS)[number];

/** Which slices a figure counts, as the server is asked for them. */
export type Figure = { flaw?: string; script?: string; at_least?: string; below?: string };

const RANGE = /^(\d+)-(\d*)$/;
const SCRIPT = "script:";

/** Reads a figure of the address: a flaw, lengths as `200-400` or `3200-`, or `script:ja`. */
export function figureOf(of: string): Figure {
  if (of.startsWith(SCRIPT)) return { script: of.slice(SCRIPT.length) };
  const range = RANGE.exec(of);
  if (!range) return { flaw: of };
  const [, low = "0", high = ""] = range;
  return { at_least: low, ...(high && { below: high }) };
}

export function scriptKey(script: string): string {
  return `${SCRIPT}${script}`;
}

/** Names lengths from one bin to another, both included. */
export function lengthsKey({ lengths }: Health, first: number, last: number): string {
  return `${lengths[first]?.at_least ?? 0}-${lengths[last + 1]?.at_least ?? ""}`;
}

/** The bins that an address names, the first and the last. */
export function binsOf(health: Health, of: string): readonly [number, number] | undefined {
  const { at_least, below } = figureOf(of);
  if (at_least === undefined) return undefined;
  const first = health.lengths.findIndex((bin) => bin.at_least === Number(at_least));
  const end = below ? health.lengths.findIndex((bin) => bin.at_least === Number(below)) : -1;
  return [first, end < 0 ? health.lengths.length - 1 : end - 1];
}

export function countOf(health: Health, flaw: Flaw): number {
  return health.flaws.find((each) => each.flaw === flaw)?.count ?? 0;
}

/** Of the slices of each length, how many are too short or too long. */
export function unfit(health: Health): readonly number[] {
  const { lengths } = health;
  const long = countOf(health, "over_long");
  const wholly = lengths
    .filter((bin) => bin.at_least > health.longest)
    .reduce((sum, bin) => sum + bin.count, 0);
  return lengths.map((bin, index) => {
    const end = lengths[index + 1]?.at_least ?? Number.POSITIVE_INFINITY;
    if (bin.at_least > health.longest) return bin.count;
    if (end > health.longest) return long - wholly;
    return bin.at_least === 0 ? countOf(health, "empty") : 0;
  });
}

/** What is looked at first: what is wrong, before what nobody asked for yet. */
export function firstFigure(health: Health): string | undefined {
  return FLAWS.find((flaw) => countOf(health, flaw) > 0);
}
