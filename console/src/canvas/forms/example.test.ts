import { expect, test } from "vitest";
import { field } from "../model/field";
import { fieldFrom, fieldsFrom, keeping } from "./example";
import { typeJson } from "./input";

const typed = (value: unknown) => typeJson(fieldFrom("", value));

test("values say what they are", () => {
  expect(typed("x")).toEqual({ type: "string" });
  expect(typed(null)).toEqual({ type: "string" });
  expect(typed(3)).toEqual({ type: "integer" });
  expect(typed(0.5)).toEqual({ type: "float" });
  expect(typed(false)).toEqual({ type: "boolean" });
  expect(typed([])).toEqual({ type: "list", schema: { type: "string" } });
  expect(typed({ a: { b: [1] } })).toMatchObject({
    schema: [{ name: "a", type: "object", schema: [{ name: "b", type: "list" }] }],
  });
});

test("a list holds what all of its members fit", () => {
  expect(typed([1, 2.5])).toEqual({ type: "list", schema: { type: "float" } });
  expect(typed([1, "x"])).toEqual({ type: "list", schema: { type: "string" } });
  expect(typed([null, { a: 1 }, { b: true, a: 2 }])).toMatchObject({
    schema: {
      type: "object",
      schema: [
        { name: "a", type: "integer" },
        { name: "b", type: "boolean" },
      ],
    },
  });
});

test("what was said of a field stays with it", () => {
  const inner = [field("high", "integer", { description: "In degrees" })];
  const before = [
    field("city", "string", { isRequired: true, assistType: 2 }),
    field("days", "list", { item: field("", "object", { fields: inner }) }),
    field("gone", "string"),
  ];
  const after = keeping(before, fieldsFrom({ city: "Rome", days: [{ high: 2.5, low: 1 }] }));
  expect(after.map((each) => each.name)).toEqual(["city", "days"]);
  expect(after[0]).toMatchObject({ isRequired: true, assistType: 2 });
  expect(after[1]?.item?.fields[0]).toMatchObject({ type: "float", description: "In degrees" });
});
