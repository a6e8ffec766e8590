import { expect, test } from "vitest";
import { KEYWORD, quoted, sqlCompletions } from "./sql-words";

const NAMES = [
  { name: "orders", note: "Table", isTable: true },
  { name: "order", note: "Text" },
];

function at(text: string, explicit = false) {
  return {
    explicit,
    matchBefore(pattern: RegExp) {
      const found = new RegExp(`(?:${pattern.source})$`, pattern.flags).exec(text);
      return found ? { from: found.index, to: text.length, text: found[0] } : null;
    },
  };
}

test("a word that is begun offers fields, words of the language and functions", () => {
  const found = sqlCompletions(at("SELECT ord"), NAMES);
  expect(found?.from).toBe(7);
  const labels = found?.options.map((each) => each.label);
  expect(labels).toEqual(expect.arrayContaining(["orders", "order", "ORDER BY", "COUNT()"]));
});

test("nothing is offered unasked where no word is begun", () => {
  expect(sqlCompletions(at("SELECT "), NAMES)).toBeNull();
  expect(sqlCompletions(at("SELECT ", true), NAMES)?.from).toBe(7);
});

test("names that are not plain stand in backticks", () => {
  expect(quoted("title")).toBe("title");
  expect(quoted("order")).toBe("`order`");
  expect(quoted("价格")).toBe("`价格`");
  expect(quoted("a`b")).toBe("`a``b`");
});

test("words of two parts are one, however far apart", () => {
  expect("a GROUP  by b".match(KEYWORD)).toEqual(["GROUP  by"]);
  expect("ordering".match(KEYWORD)).toBeNull();
});
