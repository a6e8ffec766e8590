import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ARRAY,
  argumentsOf,
  BOOLEAN,
  editOf,
  INTEGER,
  isEdited,
  newParameter,
  OBJECT,
  parametersOf,
  readValue,
  retyped,
  STRING,
  valueText,
} from "./rules";

const SCHEMA = {
  type: "object",
  required: ["city"],
  properties: {
    city: { type: "string", description: "Where", enum: ["Paris", "Rome"] },
    days: { type: "array", items: { type: "object", properties: { high: { type: "integer" } } } },
    any: {},
  },
};

test("a schema becomes parameters with what lies inside them", () => {
  const [city, days, any] = parametersOf(SCHEMA);
  expect(city).toMatchObject({ name: "city", type: STRING, required: true, description: "Where" });
  expect(city?.enum).toEqual(["Paris", "Rome"]);
  expect(days).toMatchObject({ type: ARRAY, required: false });
  expect(days?.sub_parameters[0]).toMatchObject({ name: "item", type: OBJECT });
  expect(days?.sub_parameters[0]?.sub_parameters[0]).toMatchObject({ name: "high", type: INTEGER });
  expect(any).toMatchObject({ type: STRING });
});

test.each([null, [], "text", { type: "string" }, { properties: [] }])(
  "%j has no properties",
  (schema) => {
    expect(parametersOf(schema)).toEqual([]);
  },
);

test("another type takes the values of the old one away", () => {
  const before = { ...newParameter("days", INTEGER), default: 3, local_default: 4, enum: [3, 4] };
  const after = retyped(before, ARRAY);
  expect([after.default, after.local_default, after.enum]).toEqual([undefined, undefined, []]);
  expect(after.sub_parameters).toHaveLength(1);
});

test.each([
  ["", INTEGER, {}],
  ["3", INTEGER, { value: 3 }],
  ["3.5", INTEGER, { isWrong: true }],
  ["true", BOOLEAN, { value: true }],
  ["[1]", OBJECT, { isWrong: true }],
  ["[1]", ARRAY, { value: [1] }],
  ["{", OBJECT, { isWrong: true }],
  ["3", STRING, { value: "3" }],
] as const)("%j read as type %i", (typed, type, read) => {
  expect(readValue(typed, type)).toEqual(read);
});

test("arguments hold what is filled in, and name what cannot be read", () => {
  const parameters = [newParameter("q"), newParameter("n", INTEGER), newParameter("m", INTEGER)];
  expect(argumentsOf({ q: "x", n: "two" }, parameters)).toEqual({
    values: { q: "x" },
    wrong: ["n"],
  });
});

test("a value that is shown is read back as it was", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (value) => {
      expect(readValue(valueText(value), ARRAY)).toEqual({
        value: JSON.parse(JSON.stringify(value)),
      });
    }),
  );
});

test("an example that a test call kept is no edit, one that was chosen or taken away is", () => {
  const tool = { name: "find", parameters: [], responses: [], example: { high: 21 } };
  const edit = editOf(Object.assign(Object.create(null), tool));
  const kept = Object.assign(Object.create(null), tool);
  expect(isEdited(kept, edit)).toBe(false);
  expect(isEdited(kept, { ...edit, example: { high: 21 } })).toBe(false);
  expect(isEdited(kept, { ...edit, example: { high: 22 } })).toBe(true);
  expect(isEdited(kept, { ...edit, example: null })).toBe(true);
});
