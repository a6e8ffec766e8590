import { describe, expect, it } from "vitest";
import { slicesOfBlocks } from "./links";
import type { Block, Slice } from "./queries";

const block = (text: string): Block => ({
  kind: "paragraph",
  text,
  level: 0,
  page: null,
  rows: [],
  url: "",
});

function slice(id: string, content: string): Slice {
  return {
    id,
    document_id: "1",
    dataset_id: "1",
    sequence: Number(id),
    content,
    char_count: content.length,
    hit_count: 0,
    status: 1,
    fail_reason: "",
    enabled: true,
    heading_path: [],
    page: null,
    sheet: "",
    row: null,
    boxes: [],
    tokens: 0,
    is_edited: false,
    created_at: 0,
    updated_at: 0,
  };
}

function linked(blocks: readonly string[], contents: readonly string[]): string[] {
  const slices = contents.map((content, index) => slice(String(index + 1), content));
  return slicesOfBlocks(blocks.map(block), slices).map((found) =>
    found.map(({ id }) => id).join(" "),
  );
}

const LONG = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");

describe("what was read and its slices", () => {
  it("belong together by what is written, whatever marks stand between", () => {
    expect(
      linked(
        ["Returns", "Within thirty days.", "Warranty", "Two years."],
        ["# Returns\n\nWithin *thirty* days.", "# Warranty\n\nTwo years."],
      ),
    ).toEqual(["1", "1", "2", "2"]);
  });

  it("keep their order where the same is said twice", () => {
    expect(linked(["Note", "a1", "Note", "b2"], ["Note\n\na1", "Note\n\nb2"])).toEqual([
      "1",
      "1",
      "1",
      "2",
    ]);
  });

  it("are found where one was moved before another", () => {
    expect(
      linked(["Kestrels hover.", "Otters swim."], ["Otters swim.", "Kestrels hover."]),
    ).toEqual(["2", "1"]);
  });

  it("are several for a block that was cut", () => {
    const half = LONG.indexOf("word30");
    expect(linked([LONG], [LONG.slice(0, half), LONG.slice(half)])).toEqual(["1 2"]);
  });

  it("are none for what nobody finds again", () => {
    expect(linked(["Gone", "Here."], ["Here."])).toEqual(["", "1"]);
    expect(linked(["", "Here."], ["Here."])).toEqual(["", "1"]);
  });
});
