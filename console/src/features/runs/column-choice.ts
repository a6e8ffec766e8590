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
  "tags",
] as const;
export type ColumnKey = (typeof COLUMNS)[number];

const SELDOM: readonly ColumnKey[] = ["firstToken", "steps", "tools", "user"];

/** What of the rows that are there decides whether a column is worth its place. */
export type Worth = { hasCost: boolean; hasTags: boolean };

/** What one wants to see; cost and tags unasked only where a run has some. */
export function shownColumns(
  wanted: readonly string[] | undefined,
  { hasCost, hasTags }: Worth,
): readonly ColumnKey[] {
  if (wanted && wanted.length > 0) return COLUMNS.filter((each) => wanted.includes(each));
  const worthless = [...SELDOM, ...(hasCost ? [] : ["cost"]), ...(hasTags ? [] : ["tags"])];
  return COLUMNS.filter((each) => !worthless.includes(each));
}
