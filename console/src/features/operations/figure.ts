import { formatBytes, formatCompact, formatDuration } from "../../text/formats";

export type Points = readonly (number | null)[];

/** A value with its unit, as short as cards want it. */
export function saidOf(unit: string, value: number): string {
  switch (unit) {
    case "seconds":
      return formatDuration(value * 1000);
    case "bytes":
      return formatBytes(value);
    case "share":
      return `${Math.round(value * 100)} %`;
    default:
      return formatCompact(Math.round(value * 100) / 100);
  }
}

/** Top of the chart: above all points, and above the limit as soon as they come near it. */
export function topOf(points: Points, limit: number | null): number {
  const most = Math.max(0, ...points.map((point) => point ?? 0));
  if (limit !== null && most >= limit / 4) return Math.max(most, limit) * 1.1;
  return most > 0 ? most * 1.1 : 1;
}

/** The line through all points that are known; where nothing is known it breaks off. */
export function lineOf(points: Points, top: number, width: number, height: number): string {
  const step = points.length > 1 ? width / (points.length - 1) : 0;
  const parts: string[] = [];
  points.forEach((point, index) => {
    if (point === null) return;
    const before = points[index - 1];
    const isOn = index > 0 && before !== null && before !== undefined;
    const y = height - (point / top) * height;
    parts.push(`${isOn ? "L" : "M"}${round(index * step)} ${round(y)}`);
    const next = points[index + 1];
    if (!isOn && (next === null || next === undefined)) parts.push(`h0.01`);
  });
  return parts.join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** The last point that is known. */
export function latestOf(points: Points): number | null {
  return points.findLast((point) => point !== null) ?? null;
}
