import { numberFormat } from "../text/formatters";

/** Points as people read them: four figures are enough, and nothing is nothing. */
export function formatPoints(cost: string): string {
  const points = Number(cost);
  return numberFormat({ maximumSignificantDigits: 4 }).format(points);
}
