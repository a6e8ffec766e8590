import { expect, test } from "vitest";
import { binsOf, intervalOf, rangeOf, timeOfBins } from "./range";

const NOW = 1_795_000_020;

test("an address names a length or two times, and anything else is a week", () => {
  expect(rangeOf("1h", NOW)).toEqual({ since: NOW - 3600, until: undefined });
  expect(rangeOf("100-160", NOW)).toEqual({ since: 100, until: 160 });
  for (const odd of [undefined, "160-100", "soon", "1-"])
    expect(rangeOf(odd, NOW)).toEqual({ since: NOW - 7 * 86_400, until: undefined });
});

test("the chart has a bar for each interval, and a bar leads to its time", () => {
  const range = rangeOf("1h", NOW);
  const step = intervalOf(range, NOW);
  const at = NOW - (NOW % 60) - 600;
  const bins = binsOf([{ at, figures: { runs: 4, errors: 1 } }], range, step, NOW);
  expect([step, bins.length]).toEqual(["minute", 60]);
  const place = bins.findIndex((bin) => bin.runs === 4);
  expect(timeOfBins(bins, place, place + 1, step)).toBe(`${at}-${at + 120}`);
});

test("a week has hours, a quarter has days", () => {
  expect(intervalOf(rangeOf("7d", NOW), NOW)).toBe("hour");
  expect(intervalOf(rangeOf("90d", NOW), NOW)).toBe("day");
});
