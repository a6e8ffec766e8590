// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { readSearch, spelledSearch } from "./views";

test("a view keeps what is set, in one order, and gives it back", () => {
  const search = { state: "failed", q: "ferry & tide", time: "7d", tool: undefined };
  expect(spelledSearch(search)).toBe("q=ferry+%26+tide&time=7d&state=failed");
  expect(readSearch(spelledSearch(search))).toEqual({
    q: "ferry & tide",
    time: "7d",
    state: "failed",
  });
});

test("filters that are not known any more fall out", () => {
  expect(readSearch("state=failed&moon=full")).toEqual({ state: "failed" });
});
