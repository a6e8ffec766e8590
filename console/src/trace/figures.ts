import { locale } from "../text/language";

/** Points as people read them: four figures are enough, and nothing is nothing. */
export function formatPoints(cost: string): string {
  const points = Number(cost);
  return new Intl.NumberFormat(locale(), { maximumSignificantDigits: 4 }).format(points);
}
