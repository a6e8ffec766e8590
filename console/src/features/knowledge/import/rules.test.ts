import fc from "fast-check";
import { expect, test } from "vitest";
import { addressesOf, cuttingBody, FIRST_CUTTING, pageName, sourceBody } from "./rules";

test("each line is an address or said to be none, once", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.webUrl(), fc.string()), { maxLength: 5 }), (lines) => {
      const { good, wrong } = addressesOf(lines.join("\n"));
      expect(new Set([...good, ...wrong]).size).toBe(good.length + wrong.length);
      for (const url of good) expect(pageName(url).length).toBeGreaterThan(0);
    }),
    { numRuns: 30 },
  );
  expect(addressesOf("https://a.org/x\n\nftp://b.org\nno").wrong).toEqual(["ftp://b.org", "no"]);
});

test.each([
  ["automatic", { chunk_type: 0 }],
  ["level", { chunk_type: 2, max_level: 3, save_title: true }],
] as const)("what is cut %s says nothing about the other ways", (kind, expected) => {
  expect(cuttingBody({ ...FIRST_CUTTING, kind })).toEqual(expected);
});

test("a page is fetched again only where that is wanted", () => {
  const page = { kind: "web", id: "1", name: "a.org", url: "https://a.org" } as const;
  expect(sourceBody({ ...page, hours: 0 })).not.toHaveProperty("update_rule");
  expect(sourceBody({ ...page, hours: 24 })).toHaveProperty("update_rule.update_interval", 24);
});
