import { expect, test } from "vitest";
import { filterOf, groupOf, NEW_RULE, NO_RULES } from "./filter";

test("rules become a filter, and a filter becomes rules again", () => {
  const group = {
    join: "and" as const,
    rules: [
      { ...NEW_RULE, value: "handbook" },
      { field: "tag" as const, tag: "year", op: "gte" as const, value: "2024" },
    ],
    groups: [
      {
        join: "or" as const,
        rules: [
          { field: "page" as const, tag: "", op: "in" as const, value: "1, 2" },
          { field: "tags" as const, tag: "", op: "unset" as const, value: "" },
        ],
        groups: [],
      },
    ],
  };
  const filter = filterOf(group);
  expect(filter).toEqual({
    and: [
      { field: "name", op: "contains", value: "handbook" },
      { field: "tags.year", op: "gte", value: 2024 },
      {
        or: [
          { field: "page", op: "in", value: [1, 2] },
          { field: "tags", op: "exists", value: false },
        ],
      },
    ],
  });
  expect(groupOf(filter)).toEqual(group);
});

test("a rule without a value does not count yet, and none is no filter", () => {
  expect(filterOf({ ...NO_RULES, rules: [NEW_RULE] })).toBeUndefined();
  expect(groupOf(undefined)).toEqual(NO_RULES);
});

test("what the form cannot say is left to its text", () => {
  expect(groupOf({ not: { field: "name", op: "eq", value: "a" } })).toBeUndefined();
  expect(groupOf({ tags: { $and: ["a"] } })).toBeUndefined();
  expect(groupOf({ and: [{ or: [{ and: [] }] }] })).toBeUndefined();
});
