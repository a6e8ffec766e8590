import { expect, test } from "vitest";
import {
  type Check,
  columnBodies,
  columnsOf,
  firstLine,
  hasKey,
  moved,
  type Schema,
  sheetBody,
  shownRows,
} from "./rules";

const SCHEMA: Schema = {
  table_meta: [
    { column_name: "city", column_type: 1, is_semantic: true, sequence: 0 },
    { column_name: "note", column_type: 1, is_semantic: false, sequence: 1 },
    { column_name: "people", column_type: 2, is_semantic: false, sequence: 2 },
  ],
  sheets: [],
  rows: [
    ["Oslo", null, "700"],
    ["Bergen", "wet", "many"],
  ],
  total: 2,
};

test("lines are sent as the server counts them, data below the header", () => {
  expect(sheetBody({ header: 1 })).toEqual({ header_line_idx: 0, start_line_idx: 1 });
  expect(sheetBody({ sheet: 2, header: 3, first: 6 })).toEqual({
    sheet_id: "2",
    header_line_idx: 2,
    start_line_idx: 5,
  });
  expect(firstLine({ header: 4, first: 2 })).toBe(5);
});

test("another sheet begins with its own first line", () => {
  expect(moved({ sheet: 0, header: 4, first: 9 }, { sheet: 1 })).toEqual({ sheet: 1, header: 1 });
  expect(moved({ sheet: 1, header: 1 }, { header: 2 })).toEqual({ sheet: 1, header: 2 });
});

test("what is imported is what was guessed and changed, without what was left out", () => {
  const changes = new Map([
    ["note", { isTaken: false }],
    ["people", { type: 4, isKey: true, meaning: " inhabitants " }],
    ["of an earlier file", { type: 2 }],
  ]);
  expect(columnBodies(columnsOf(SCHEMA, changes))).toEqual([
    { column_name: "city", column_type: 1, is_semantic: true, desc: "", sequence: 0 },
    { column_name: "people", column_type: 4, is_semantic: true, desc: "inhabitants", sequence: 1 },
  ]);
});

test("a key that is left out finds no rows", () => {
  expect(hasKey(columnsOf(SCHEMA, new Map()))).toBe(true);
  expect(hasKey(columnsOf(SCHEMA, new Map([["city", { isTaken: false }]])))).toBe(false);
});

test("a cell that does not fit is marked in its line of the file", () => {
  const cell = { sheet: "", row: 7, column: "people", value: "many", reason: "not a whole number" };
  const check: Check = { valid: false, missing_columns: [], unknown_columns: [], cells: [cell] };
  const rows = shownRows(SCHEMA, { header: 4, first: 6 }, check);
  expect(rows.map((row) => [row.line, [...row.wrong.keys()]])).toEqual([
    [6, []],
    [7, ["people"]],
  ]);
});
