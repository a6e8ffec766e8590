import { parseSearchWith, stringifySearchWith } from "@tanstack/react-router";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listSearch, searchValue } from "./search";

const read = listSearch("state", "order");

test("what an address says of a list is kept, and nothing else", () => {
  expect(read({ q: "a", state: "published", other: "x", order: 7 })).toEqual({
    q: "a",
    state: "published",
    order: "7",
  });
});

test("whatever stands in an address, a list reads words", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("q", "state", "x"), fc.anything()), (search) => {
      for (const value of Object.values(read(search))) expect(typeof value).toBe("string");
    }),
  );
});

test("ids stand in an address as they are, and come back whole", () => {
  const parse = parseSearchWith(searchValue);
  const written = stringifySearchWith(JSON.stringify, searchValue);
  expect(parse("?run=7532298475539529728&page=3")).toEqual({
    run: "7532298475539529728",
    page: 3,
  });
  expect(written({ run: "7532298475539529728" })).toBe("?run=7532298475539529728");
  expect(parse(written({ q: "12", state: "true" }))).toEqual({ q: "12", state: "true" });
});
