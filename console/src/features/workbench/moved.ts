/** A list with one of its things moved by a place; at the ends it stays. */
export function moved<T>(all: readonly T[], from: number, by: -1 | 1): T[] {
  const next = [...all];
  const [thing] = next.splice(from, 1);
  if (thing !== undefined) next.splice(Math.max(0, Math.min(all.length - 1, from + by)), 0, thing);
  return next;
}
