import fc from "fast-check";
import { expect, test } from "vitest";
import { listSearch } from "./search";

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
