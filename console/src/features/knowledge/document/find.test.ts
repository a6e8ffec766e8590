import { describe, expect, it } from "vitest";
import { hitsInBlocks, hitsOnPage, needleOf, stepped } from "./find";

const word = (text: string, left: number, right: number) => ({
  text,
  box: [left, 0.1, right, 0.2],
});
const block = (text: string, rows: (string | null)[][] = []) => ({
  kind: rows.length > 0 ? "table" : "paragraph",
  text,
  level: 0,
  page: null,
  rows,
  url: "",
});

describe("what is found on a page", () => {
  it("goes over several words, whatever the case and the spaces", () => {
    const words = [word("Pumps", 0.1, 0.2), word("Run", 0.3, 0.4), word("dry", 0.5, 0.6)];
    const [hit, ...more] = hitsOnPage(3, words, needleOf("  pumps   RUN "));
    expect(more).toEqual([]);
    expect(hit).toEqual({
      page: 3,
      areas: [
        [0.1, 0.1, 0.2, 0.2],
        [0.3, 0.1, 0.4, 0.2],
      ],
    });
  });

  it("is only the part of a word that was looked for, as often as it stands there", () => {
    const hits = hitsOnPage(1, [word("abab", 0, 0.4)], "b");
    expect(hits.map(({ areas }) => areas[0]?.map((side) => Number(side.toFixed(2))))).toEqual([
      [0.1, 0.1, 0.2, 0.2],
      [0.3, 0.1, 0.4, 0.2],
    ]);
  });

  it("goes over the words of a script without spaces", () => {
    expect(hitsOnPage(1, [word("退货", 0, 0.2), word("政策", 0.2, 0.4)], "货政")).toHaveLength(1);
    expect(hitsOnPage(1, [word("the", 0, 0.2), word("art", 0.2, 0.4)], "heart")).toHaveLength(0);
  });

  it("is nothing where nothing is looked for", () => {
    expect(hitsOnPage(1, [word("a", 0, 1)], needleOf("  "))).toEqual([]);
  });
});

it("names a block as often as it has what is looked for, cells of tables too", () => {
  const blocks = [block("dry and dry"), block("wet"), block("", [["Dry", null], ["a dry"]])];
  expect(hitsInBlocks(blocks, "dry")).toEqual([0, 0, 2, 2]);
});

it("goes round at both ends", () => {
  expect(stepped(2, 1, 3)).toBe(0);
  expect(stepped(0, -1, 3)).toBe(2);
  expect(stepped(0, 1, 0)).toBe(0);
});
