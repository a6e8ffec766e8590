import { readRecord } from "../../../json/json";
import type { Slice } from "./queries";

/** A row of a table with its cells by the names of the columns. */
export type Row = { slice: Slice; cells: Readonly<Record<string, unknown>> };

export function rowOf(slice: Slice): Row {
  return { slice, cells: readRecord(slice.content) ?? {} };
}

/** The number of a row in its file; of one that was added, its place in the table. */
export function numberOf({ slice }: Row): number {
  return slice.row ?? slice.sequence;
}

/** A cell as it is shown and typed. */
export function shownCell(cell: unknown): string {
  return cell === null || cell === undefined ? "" : String(cell);
}
