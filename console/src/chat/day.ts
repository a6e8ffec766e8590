import { dateFormat } from "../text/formatters";
import { currentZone } from "../text/zone";
import type { Text } from "./text.en";

const DAY_S = 24 * 60 * 60;

/**
 * What stands between what was said on two days; nothing where it is the same day, and before the
 * first of today. All in seconds since 1970, 0 where nobody knows.
 */
export function dayLine(
  at: number,
  before: number,
  now: number,
  text: Pick<Text, "today" | "yesterday">,
  zone = currentZone(),
): string | undefined {
  if (!at) return undefined;
  const dayOf = (seconds: number) =>
    dateFormat({ dateStyle: "short", timeZone: zone }).format(seconds * 1000);
  const day = dayOf(at);
  if (day === dayOf(before || now)) return undefined;
  if (day === dayOf(now)) return text.today;
  if (day === dayOf(now - DAY_S)) return text.yesterday;
  const yearOf = (seconds: number) =>
    dateFormat({ year: "numeric", timeZone: zone }).format(seconds * 1000);
  return dateFormat({
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(yearOf(at) === yearOf(now) ? {} : { year: "numeric" }),
    timeZone: zone,
  }).format(at * 1000);
}
