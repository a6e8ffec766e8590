import type {
  AdminCell,
  AdminTableCheck,
  AdminTableSchema,
  ColumnBody,
  TableSheetBody,
} from "../../../../api/schema";

export type Cell = AdminCell;
export type Check = AdminTableCheck;
export type Schema = AdminTableSchema;

/** The types of columns in the order of a menu. */
export const TYPES = ["1", "2", "4", "3", "5", "6"] as const;

/** Where in a file the table stands; lines count from 1, as spreadsheets show them. */
export type Place = {
  /** Number of the sheet, from 0; nothing is the one that the server takes. */
  sheet?: number;
  header: number;
  /** Nothing is the line below the header. */
  first?: number;
};

/** A column as it shall be; its name is that of the file, by which its cells are found. */
export type Column = {
  name: string;
  type: number;
  isKey: boolean;
  meaning: string;
  isTaken: boolean;
};

export type Change = Partial<Omit<Column, "name">>;

/** What somebody set for a file; one of the same name goes on with it. */
export type Draft = { file: string; place: Place; changes: ReadonlyMap<string, Change> };

export function newDraft(file: string): Draft {
  return { file, place: { header: 1 }, changes: new Map() };
}

/** The first line of data: at least the one below the header. */
export function firstLine({ header, first }: Place): number {
  return Math.max(first ?? 0, header + 1);
}

/** The place with one part of it changed; another sheet begins anew. */
export function moved(place: Place, change: Partial<Place>): Place {
  return change.sheet === undefined ? { ...place, ...change } : { sheet: change.sheet, header: 1 };
}

export function sheetBody(place: Place): TableSheetBody {
  return {
    ...(place.sheet !== undefined && { sheet_id: String(place.sheet) }),
    header_line_idx: place.header - 1,
    start_line_idx: firstLine(place) - 1,
  };
}

/** Columns of a file as guessed, with what somebody changed. */
export function columnsOf({ table_meta }: Schema, changes: Draft["changes"]): Column[] {
  return table_meta.map((each) => ({
    name: each.column_name,
    type: each.column_type,
    isKey: each.is_semantic,
    meaning: "",
    isTaken: true,
    ...changes.get(each.column_name),
  }));
}

export function columnBodies(columns: readonly Column[]): ColumnBody[] {
  return columns
    .filter((each) => each.isTaken)
    .map((each, sequence) => ({
      column_name: each.name,
      column_type: each.type,
      is_semantic: each.isKey,
      desc: each.meaning.trim(),
      sequence,
    }));
}

/** Whether rows can be found: at least one column that is taken in is a key. */
export function hasKey(columns: readonly Column[]): boolean {
  return columns.some((each) => each.isTaken && each.isKey);
}

/** Cells of a column that do not fit. */
export function cellsOf(check: Check | undefined, column: string): Cell[] {
  return check?.cells.filter((cell) => cell.column === column) ?? [];
}

/** A row of a file as it is shown, with what does not fit in it by column. */
export type ShownRow = {
  line: number;
  cells: readonly (string | null)[];
  wrong: ReadonlyMap<string, string>;
};

/** The first rows of a file, each with the cells of it that do not fit. */
export function shownRows(schema: Schema, place: Place, check: Check | undefined): ShownRow[] {
  return schema.rows.map((cells, index) => {
    const line = firstLine(place) + index;
    const wrong = check?.cells.filter((cell) => cell.row === line) ?? [];
    return { line, cells, wrong: new Map(wrong.map(({ column, reason }) => [column, reason])) };
  });
}
