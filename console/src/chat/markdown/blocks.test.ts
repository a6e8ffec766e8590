import fc from "fast-check";
import { expect, test } from "vitest";
import { blocksOf } from "./blocks";

const PIECE = fc.constantFrom(
  "\n",
  "\n\n",
  "- item",
  "1. one",
  "  more",
  "text",
  "```js\n",
  "```",
  "~~~\n",
  "$$\n",
  "$$",
  "\\[\n",
  "\\]",
  "| a | b |\n",
  "> quote",
  "# Title\n",
  "<div>",
  "    code",
  " ",
  "知识",
);
const TEXT = fc.array(PIECE, { maxLength: 30 }).map((pieces) => pieces.join(""));

test("joined, the blocks are the text", () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      expect(blocksOf(text).join("")).toBe(text);
    }),
  );
});

test("a closed block never changes, whatever is appended", () => {
  fc.assert(
    fc.property(TEXT, TEXT, (text, more) => {
      const closed = blocksOf(text).slice(0, -1);
      expect(blocksOf(text + more).slice(0, closed.length)).toEqual(closed);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["One.\n\nTwo.", ["One.\n\n", "Two."]],
  ["- a\n\n- b\n\nAfter", ["- a\n\n- b\n\n", "After"]],
  ["```\na\n\nb\n```\n\nAfter", ["```\na\n\nb\n```\n\n", "After"]],
  ["- a\n\n  still a\n\n# Title\n", ["- a\n\n  still a\n\n", "# Title\n"]],
  ["\\[\na\n\nb\n\\]\n\nAfter", ["\\[\na\n\nb\n\\]\n\n", "After"]],
  ["| a |\n|---|\n| 1 |\n\nText", ["| a |\n|---|\n| 1 |\n\n", "Text"]],
])("%j has its blocks", (text, blocks) => {
  expect(blocksOf(text)).toEqual(blocks);
});
