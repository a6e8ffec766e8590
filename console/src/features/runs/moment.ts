import { dateFormat } from "../../text/formatters";
import { currentZone } from "../../text/zone";
import type { Interval } from "./range";

const DAY: Intl.DateTimeFormatOptions = { month: "short", day: "numeric" };
const CLOCK: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

/** A time as exactly as an interval is long; days are those of UTC, as the server counts them. */
export function formatMoment(seconds: number, interval: Interval): string {
  const form =
    interval === "day"
      ? { ...DAY, timeZone: "UTC" }
      : { ...DAY, ...CLOCK, timeZone: currentZone() };
  return dateFormat(form).format(new Date(seconds * 1000));
}
