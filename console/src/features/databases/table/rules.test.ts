import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addressOf,
  BOOLEAN,
  cellOf,
  cellsOf,
  cellText,
  conditionsOf,
  DATE,
  type Field,
  filterOf,
  INTEGER,
  NUMBER,
  OPERATORS,
  pasteOf,
  problemOf,
  TEXT,
  tsvOf,
} from "./rules";

function field(name: string, type = TEXT, must_required = false): Field {
  return { id: 1, name, desc: "", type, must_required, is_system: false };
}

const FIELDS = [field("title", TEXT, true), field("amount", INTEGER), field("due", DATE)];

test("a filter in the address is read back as it was", () => {
  const condition = fc.record({
    field: fc.string({ minLength: 1, unit: "grapheme" }),
    operator: fc.constantFrom(...OPERATORS),
    value: fc.string({ unit: "grapheme" }),
  });
  const filter = fc.record({
    logic: fc.constantFrom("and" as const, "or" as const),
    conditions: fc.array(condition, { minLength: 1 }),
  });
  fc.assert(
    fc.property(filter, (each) => {
      expect(filterOf(addressOf(each))).toEqual(each);
    }),
  );
});

test.each(["", "nonsense", "and*", "and*a.b.c", "%E0%A4%A", "or*.eq.1"])(
  "%j filters nothing",
  (address) => {
    expect(conditionsOf(filterOf(address))).toBeUndefined();
  },
);

test("conditions without a value are left out, unless they need none", () => {
  const sent = conditionsOf(filterOf("or*title.like.oak*amount.gt.*due.is_null."));
  expect(sent).toMatchObject({
    logic: "or",
    conditions: [
      { field: "title", operator: "like", value: "%oak%" },
      { field: "due", operator: "is_null" },
    ],
  });
});

test.each([
  [field("a", INTEGER), "12", undefined],
  [field("a", INTEGER), "12.5", "type"],
  [field("a", NUMBER), "1e-3", undefined],
  [field("a", NUMBER), "n/a", "type"],
  [field("a", DATE), "2026-1-2", undefined],
  [field("a", DATE), "tomorrow", "type"],
  [field("a", BOOLEAN), "Yes", undefined],
  [field("a", BOOLEAN), "maybe", "type"],
  [field("a", TEXT, true), " ", "required"],
  [field("a", INTEGER), "", undefined],
] as const)("%o takes %j: %s", (of, typed, problem) => {
  expect(problemOf(of, typed)).toBe(problem);
});

test("cells that are empty are sent as none", () => {
  expect([
    cellOf(field("a", INTEGER), " "),
    cellOf(field("a"), ""),
    cellOf(field("a"), " "),
  ]).toEqual([null, null, " "]);
});

test("days are shown without midnight", () => {
  expect([
    cellText("2026-12-01 00:00:00"),
    cellText("2026-12-01 08:00:00"),
    cellText(null),
  ]).toEqual(["2026-12-01", "2026-12-01 08:00:00", ""]);
});

test("cells that are copied are pasted as they were", () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom('"', "a\tb", "a\nb", 'say "hi"', "\r\n"));
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 });
  fc.assert(
    fc.property(table, (rows) => {
      const shown = rows.filter((each) => each.some((one) => one !== ""));
      expect(cellsOf(tsvOf(shown))).toEqual(shown);
    }),
  );
});

test("a first line that names fields says where cells go", () => {
  const { rows, problems } = pasteOf("Amount\tTitle\n3\tDesk\nmany\t\n", FIELDS);
  expect(rows[0]).toEqual({ title: "Desk", amount: "3", due: null });
  expect(problems).toEqual([
    { line: 3, field: "title", typed: "", problem: "required" },
    { line: 3, field: "amount", typed: "many", problem: "type" },
  ]);
});

test("without names cells go by the order of the fields", () => {
  const { rows, problems } = pasteOf("Desk\t3\t2026-12-01\r\nLamp", FIELDS);
  expect(rows).toEqual([
    { title: "Desk", amount: "3", due: "2026-12-01" },
    { title: "Lamp", amount: null, due: null },
  ]);
  expect(problems).toEqual([]);
});
