import type { AdminField, ConditionInput } from "../../../api/schema";

export type Field = AdminField;
export type Row = Readonly<Record<string, unknown>>;
export type Cells = Record<string, string | null>;

export const TEXT = 1;
export const INTEGER = 2;
export const DATE = 3;
export const NUMBER = 4;
export const BOOLEAN = 5;
export const TYPES = ["1", "2", "4", "3", "5"] as const;

/** What a boolean may be, with the words for it; what is empty is neither. */
export function booleanChoices(words: { true: string; false: string; none: string }) {
  return [
    { value: "", label: words.none },
    { value: "true", label: words.true },
    { value: "false", label: words.false },
  ];
}

/** The type of a field as texts name it. */
export function typeOf({ type }: Pick<Field, "type">): (typeof TYPES)[number] {
  return TYPES.find((each) => each === String(type)) ?? "1";
}

export const OPERATORS = [
  "eq",
  "ne",
  "gt",
  "ge",
  "lt",
  "le",
  "like",
  "not_like",
  "is_null",
  "is_not_null",
] as const;
export type Operator = (typeof OPERATORS)[number];
export type Condition = { field: string; operator: Operator; value: string };
export type Filter = { logic: "and" | "or"; conditions: readonly Condition[] };

const NO_FILTER: Filter = { logic: "and", conditions: [] };

/** A filter as the address says it; whatever is not one falls out. */
export function filterOf(address: string | undefined): Filter {
  if (!address) return NO_FILTER;
  const [logic, ...parts] = address.split("*");
  const conditions = parts.flatMap((part): Condition[] => {
    const [field = "", named, ...value] = part.split(".").map(decoded);
    const operator = OPERATORS.find((each) => each === named);
    return operator && field ? [{ field, operator, value: value.join(".") }] : [];
  });
  return { logic: logic === "or" ? "or" : "and", conditions };
}

/** A filter for the address; nothing where it leaves everything in. */
export function addressOf({ logic, conditions }: Filter): string | undefined {
  if (conditions.length === 0) return undefined;
  const parts = conditions.map((each) =>
    [each.field, each.operator, each.value].map(encoded).join("."),
  );
  return [logic, ...parts].join("*");
}

function encoded(word: string): string {
  return encodeURIComponent(word).replaceAll(".", "%2E").replaceAll("*", "%2A");
}

/** A word that was written for an address; what was not is itself. */
export function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** Whether an operator compares with something. */
export function takesValue(operator: Operator): boolean {
  return operator !== "is_null" && operator !== "is_not_null";
}

/** A filter for the server; conditions that are not filled in yet are left out. */
export function conditionsOf({ logic, conditions }: Filter): ConditionInput | undefined {
  const whole = conditions.filter((each) => !takesValue(each.operator) || each.value !== "");
  if (whole.length === 0) return undefined;
  return {
    logic,
    operator: "eq",
    conditions: whole.map(({ field, operator, value }) => ({
      field,
      operator,
      logic: "and",
      ...(takesValue(operator) ? { value: isLike(operator) ? likeness(value) : value } : {}),
    })),
  };
}

function isLike(operator: Operator): boolean {
  return operator === "like" || operator === "not_like";
}

/** Words stand for whatever contains them, unless they say otherwise. */
function likeness(value: string): string {
  return value.includes("%") ? value : `%${value}%`;
}

/** A cell as it is shown and typed; dates without a time as days. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return String(value).replace(/^(\d{4}-\d{2}-\d{2}) 00:00:00$/, "$1");
}

const SHAPES: Readonly<Record<number, RegExp>> = {
  [INTEGER]: /^[-+]?\d{1,19}(\.0*)?$/,
  [NUMBER]: /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i,
  [DATE]: /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}/,
  [BOOLEAN]: /^(true|false|1|0|yes|no)$/i,
};

export type CellProblem = "required" | "type";

/** What keeps a typed cell out of its field, as far as this page can tell. */
export function problemOf(field: Field, typed: string): CellProblem | undefined {
  if (typed.trim() === "") return field.must_required ? "required" : undefined;
  const shape = SHAPES[field.type];
  return shape && !shape.test(typed.trim()) ? "type" : undefined;
}

/** What is sent for a typed cell. */
export function cellOf(field: Field, typed: string): string | null {
  return typed === "" || (field.type !== TEXT && typed.trim() === "") ? null : typed;
}

/** Cells of a text as spreadsheets copy it: tabs, lines, and quotes around what holds them. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [cell, end] = text[at] === '"' ? quoted(text, at) : plain(text, at);
    row.push(cell);
    at = end;
    if (text[at] === "\t") {
      at += 1;
      if (at === text.length) row.push("");
      continue;
    }
    rows.push(row);
    row = [];
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
  if (row.length > 0) rows.push(row);
  return rows.filter((each) => each.some((cell) => cell !== ""));
}

function plain(text: string, from: number): [string, number] {
  const length = text.slice(from).search(/[\t\r\n]/);
  const end = length < 0 ? text.length : from + length;
  return [text.slice(from, end), end];
}

function quoted(text: string, from: number): [string, number] {
  const match = /^"((?:[^"]|"")*)"(?=[\t\r\n]|$)/.exec(text.slice(from));
  if (!match) return plain(text, from);
  return [(match[1] ?? "").replaceAll('""', '"'), from + match[0].length];
}

/** Cells as spreadsheets take them. */
export function tsvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(guarded).join("\t")).join("\n");
}

function guarded(cell: string): string {
  return /[\t\r\n]|^"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

export type Paste = {
  rows: Cells[];
  problems: readonly { line: number; field: string; typed: string; problem: CellProblem }[];
};

/** Rows of a pasted text: by the names in its first line, or by the order of the fields. */
export function pasteOf(text: string, fields: readonly Field[]): Paste {
  const lines = cellsOf(text);
  const named = (lines[0] ?? []).map((cell) => fieldNamed(fields, cell));
  const hasHead = named.length > 0 && named.every((field) => field !== undefined);
  const columns = hasHead ? named : fields;
  const problems: { line: number; field: string; typed: string; problem: CellProblem }[] = [];
  const rows = lines.slice(hasHead ? 1 : 0).map((cells, index) => {
    const row: Cells = {};
    for (const field of fields) {
      const typed = cells[columns.indexOf(field)] ?? "";
      const problem = problemOf(field, typed);
      if (problem) {
        problems.push({ line: index + (hasHead ? 2 : 1), field: field.name, typed, problem });
      }
      row[field.name] = cellOf(field, typed);
    }
    return row;
  });
  return { rows, problems };
}

function fieldNamed(fields: readonly Field[], name: string): Field | undefined {
  const wanted = name.trim().toLowerCase();
  return fields.find((field) => field.name.toLowerCase() === wanted);
}
