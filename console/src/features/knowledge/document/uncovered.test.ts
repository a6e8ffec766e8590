import { describe, expect, it } from "vitest";
import type { Slice } from "./queries";
import { foundBySearches, uncoveredOn } from "./uncovered";

function slice(id: string, boxes: number[][], given: Partial<Slice> = {}): Slice {
  return {
    id,
    document_id: "1",
    dataset_id: "1",
    sequence: 1,
    content: "",
    char_count: 0,
    hit_count: 0,
    status: 1,
    fail_reason: "",
    enabled: true,
    heading_path: [],
    page: 1,
    sheet: "",
    row: null,
    boxes,
    tokens: 0,
    is_edited: false,
    created_at: 0,
    updated_at: 0,
    ...given,
  };
}

const word = (text: string, left: number, top: number) => ({
  text,
  box: [left, top, left + 0.1, top + 0.02],
});

const PAGE = [
  word("Head", 0.1, 0.02),
  word("line", 0.21, 0.02),
  word("far", 0.8, 0.02),
  word("Body", 0.1, 0.5),
  word("Foot", 0.1, 0.95),
];

describe("what no slice says", () => {
  const body = slice("1", [[1, 0.05, 0.45, 0.95, 0.6]]);

  it("is marked line by line, in stretches of words that stand together", () => {
    const areas = uncoveredOn(1, PAGE, [body]);
    expect(areas.map((area) => area.map((side) => Number(side.toFixed(2))))).toEqual([
      [0.1, 0.02, 0.31, 0.04],
      [0.8, 0.02, 0.9, 0.04],
      [0.1, 0.95, 0.2, 0.97],
    ]);
  });

  it("is judged by the boxes of its own page", () => {
    expect(uncoveredOn(2, [word("Body", 0.1, 0.5)], [body])).toHaveLength(1);
    expect(uncoveredOn(1, [word("Body", 0.1, 0.5)], [body])).toEqual([]);
  });

  it("includes what is switched off and what could not be indexed", () => {
    const slices = [body, slice("2", [], { enabled: false }), slice("3", [], { status: 9 })];
    expect(foundBySearches(slices).map(({ id }) => id)).toEqual(["1"]);
  });
});
