import { dateFormat, numberFormat, pluralRules, relativeFormat } from "./formatters";
import { locale } from "./language";
import { currentZone } from "./zone";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const RELATIVE_UP_TO = 7 * DAY;

export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Chooses the form for a number and puts it where `#` stands. */
export function plural(count: number, forms: Forms): string {
  const rule = pluralRules({}).select(count);
  return (forms[rule] ?? forms.other).replace("#", formatNumber(count));
}

export function formatNumber(value: number): string {
  return numberFormat({}).format(value);
}

/** Thousands as `12.3k`: for cards and narrow columns, with the exact value on hover. */
export function formatCompact(value: number): string {
  return numberFormat({ notation: "compact", maximumSignificantDigits: 3 })
    .format(value)
    .replace("K", "k");
}

export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"] as const;
  let value = bytes;
  let step = 0;
  while (value >= 1000 && step < units.length - 1) {
    value /= 1000;
    step += 1;
  }
  const digits = { maximumFractionDigits: value < 10 && step > 0 ? 1 : 0 };
  return `${numberFormat(digits).format(value)} ${units[step]}`;
}

/** Seconds since 1970 as a date with time, exact. */
export function formatExact(seconds: number, zone = currentZone()): string {
  return dateFormat({ dateStyle: "medium", timeStyle: "medium", timeZone: zone }).format(
    new Date(seconds * 1000),
  );
}

/** The time of a day, which tells apart what was done within an hour. */
export function formatClock(seconds: number, zone = currentZone()): string {
  return dateFormat({ timeStyle: "medium", timeZone: zone }).format(new Date(seconds * 1000));
}

/** How long ago, up to a week; then the date, with the year where it is another one. */
export function formatRelative(seconds: number, now: number, zone = currentZone()): string {
  const past = now - seconds;
  if (past >= RELATIVE_UP_TO || past < -MINUTE) return formatDate(seconds, now, zone);
  const format = relativeFormat({ numeric: "auto", style: "narrow" });
  if (past < MINUTE) return format.format(0, "second");
  if (past < HOUR) return format.format(-Math.floor(past / MINUTE), "minute");
  if (past < DAY) return format.format(-Math.floor(past / HOUR), "hour");
  return format.format(-Math.floor(past / DAY), "day");
}

function formatDate(seconds: number, now: number, zone: string): string {
  const date = new Date(seconds * 1000);
  const isThisYear = date.getFullYear() === new Date(now * 1000).getFullYear();
  return dateFormat({
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    timeZone: zone,
  }).format(date);
}

/** Names one after the other, as the language separates them. */
export function formatNames(names: readonly string[]): string {
  return names.join(locale() === "zh-CN" ? "、" : ", ");
}

/** How long something took: `840 ms`, `3.2 s`, `2 min 05 s`. */
export function formatDuration(ms: number): string {
  const number = (value: number, digits: number) =>
    numberFormat({ maximumFractionDigits: digits }).format(value);
  if (ms < 1000) return `${number(ms, ms < 10 ? 1 : 0)} ms`;
  if (ms < 60_000) return `${number(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${number(Math.floor(seconds / 60), 0)} min ${String(seconds % 60).padStart(2, "0")} s`;
}
