/** Columns of the list behind the name, in their order. */
export const COLUMNS = [
  "question",
  "state",
  "started",
  "duration",
  "firstToken",
  "steps",
  "tools",
  "tokens",
  "cost",
  "source",
  "user",
  "feedback",
] as const;
export type ColumnKey = (typeof COLUMNS)[number];

const SELDOM: readonly ColumnKey[] = ["firstToken", "steps", "tools", "user"];

/** What one wants to see; cost unasked only where something did cost. */
export function shownColumns(
  wanted: readonly string[] | undefined,
  hasCost: boolean,
): readonly ColumnKey[] {
  if (wanted && wanted.length > 0) return COLUMNS.filter((each) => wanted.includes(each));
  return COLUMNS.filter((each) => !SELDOM.includes(each) && (each !== "cost" || hasCost));
}
