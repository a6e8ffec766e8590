import { describe, expect, it } from "vitest";
import { text as cutting } from "../import/text.en";
import { cuttingOf, readingOf, refreshOf, sourceOf } from "./facts";
import { text } from "./text.en";

const words = { ...cutting.cutting, ...text };

describe("how a document was cut", () => {
  it("is said with every setting that applies", () => {
    const strategy = { chunk_type: 1, separator: "\n\n", max_tokens: 800, overlap: 10 };
    expect(cuttingOf(strategy, words)).toBe(
      "By separator · Blank line · at most 800 tokens · overlap 10 %",
    );
    expect(cuttingOf({ chunk_type: 2, max_level: 3, save_title: true }, words)).toBe(
      "By headings · 3 levels · Headings stand in each slice",
    );
  });

  it("names a separator of one's own as it is, and nothing that is not set", () => {
    expect(cuttingOf({ chunk_type: 1, separator: "###", overlap: 0 }, words)).toBe(
      "By separator · ###",
    );
    expect(cuttingOf({ chunk_type: 0, max_tokens: 800 }, words)).toBe("Automatic");
  });
});

it("says how a document was read, and what is left out of a fast reading", () => {
  const strategy = {
    parsing_type: 1,
    image_extraction: false,
    table_extraction: true,
    image_ocr: null,
  };
  expect(readingOf(strategy, cutting.reading)).toBe("Accurate · Tables as tables");
  expect(readingOf({ ...strategy, parsing_type: 0 }, cutting.reading)).toBe("Fast, text only");
});

describe("how often a document is fetched again", () => {
  it("is said in days where it is whole days", () => {
    expect(refreshOf({ update_type: 1, update_interval: 24 }, text)).toBe("Every day");
    expect(refreshOf({ update_type: 1, update_interval: 36 }, text)).toBe("Every 36 hours");
    expect(refreshOf({ update_type: 0, update_interval: 24 }, text)).toBe("");
  });
});

it("takes every source but pages and texts for a file", () => {
  expect([0, 1, 2, 5].map((source_type) => sourceOf({ source_type }))).toEqual([
    "file",
    "web",
    "text",
    "file",
  ]);
});
