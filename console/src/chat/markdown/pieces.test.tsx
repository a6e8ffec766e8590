import { render } from "@testing-library/react";
import fc from "fast-check";
import Markdown from "react-markdown";
import gfm from "remark-gfm";
import { expect, test } from "vitest";
import { blocksOf } from "./blocks";
import { MarkdownText } from "./markdown";
import { piecesOf } from "./pieces";

const WORDS = "The harbour has seven piers and a light that can be seen from far away. ".repeat(15);
const PART = fc.oneof(
  { weight: 3, arbitrary: fc.constant(WORDS) },
  fc.constantFrom(
    "\n",
    "\n===\n",
    "\n--- | ---\n",
    "\n- item",
    "a | b",
    "**",
    "*so",
    "`",
    "_",
    "mail@example.org ",
    "知识",
    "1. ",
    "(see) ",
    "\\",
    "&amp;",
    "  ",
  ),
);
const TEXT = fc
  .array(PART, { minLength: 2, maxLength: 6 })
  .map((parts) => `Text ${parts.join("")}`);

function htmlOf(element: React.ReactElement): string {
  const { container, unmount } = render(element);
  const found = container.innerHTML;
  unmount();
  return found;
}

test("a paragraph in pieces reads as one", () => {
  let most = 0;
  fc.assert(
    fc.property(TEXT, (text) => {
      const [block = ""] = blocksOf(text);
      if (blocksOf(text).length > 1 || /@|\|/.test(block)) return;
      most = Math.max(most, piecesOf(block).length);
      const whole = htmlOf(<Markdown remarkPlugins={[gfm]}>{block}</Markdown>);
      const inner = htmlOf(<MarkdownText text={block} />).replace(/^<div[^>]*>|<\/div>$/g, "");
      expect(inner.replace(/ {2,}/g, " ")).toBe(whole.replace(/ {2,}/g, " "));
    }),
    { numRuns: 30 },
  );
  expect(most).toBeGreaterThan(3);
});

test("a closed piece stays as it is while only words come", () => {
  const closed = piecesOf(WORDS.repeat(3)).slice(0, -1);
  expect(closed.length).toBeGreaterThan(1);
  expect(piecesOf(`${WORDS.repeat(3)}and *then* more`).slice(0, closed.length)).toEqual(closed);
});

test("what may underline or head a table is no paragraph of plain lines", () => {
  for (const more of ["\n===", "\n--", "\n1. one"]) {
    expect(piecesOf(WORDS.repeat(3) + more)).toHaveLength(1);
  }
});
