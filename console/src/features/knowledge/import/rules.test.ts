import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addressesOf,
  cuttingBody,
  FIRST_CUTTING,
  FIRST_READING,
  groupsOf,
  pageName,
  sourceBody,
} from "./rules";

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

test("sources of the same settings go together, and those of the import go last", () => {
  const common = { reading: FIRST_READING, cutting: FIRST_CUTTING };
  const fast = { ...common, reading: { ...FIRST_READING, isAccurate: false } };
  const level = { ...common, cutting: { ...FIRST_CUTTING, kind: "level" as const } };
  const sources = ["1", "2", "3", "4"].map((id) => ({ kind: "document" as const, id, name: id }));
  const own = new Map([
    ["1", fast],
    ["3", level],
    ["4", { ...fast, reading: { ...fast.reading, ocr: false } }],
    ["of a file that was removed", level],
  ]);
  const groups = groupsOf(sources, own, common);
  expect(groups.map((group) => group.sources.map(({ id }) => id))).toEqual([
    ["1", "4"],
    ["3"],
    ["2"],
  ]);
  expect(groups.at(-1)?.settings).toBe(common);
  expect(groupsOf(sources.slice(0, 1), own, common)).toHaveLength(1);
});
