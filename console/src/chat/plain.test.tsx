import { render } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";
import { uiText } from "../ui/text";
import { MarkdownText } from "./markdown/markdown";
import { saidIn } from "./plain";
import { chatText } from "./text";

beforeAll(async () => {
  await Promise.all([chatText.load("en"), uiText.load("en")]);
});

/** The plain text of an answer in Markdown. */
function plain(markdown: string): string {
  const { container } = render(
    <div data-said="">
      <MarkdownText
        text={markdown}
        mark={(n) => (n === 1 ? <button type="button">1</button> : undefined)}
      />
    </div>,
  );
  return saidIn(container);
}

test.each([
  ["# Title\n\nSome **strong** `code`.", "Title\n\nSome strong code."],
  ["- a\n- b\n  - c\n\n1. one\n2. two", "- a\n- b\n  - c\n\n1. one\n2. two"],
  ["3. three\n4. four", "3. three\n4. four"],
  ["| a | b |\n|---|---|\n| 1 | 2 |", "a\tb\n1\t2"],
  ["```js\nlet a = 1;\n\nlet b;\n```", "let a = 1;\n\nlet b;"],
  ["[a page](https://example.org/x)", "a page (https://example.org/x)"],
  ["It is so [1].", "It is so [1]."],
  ["Hence $a_1$.", "Hence a_1."],
  ["![The pier](/pier.png)", "The pier"],
])("%j reads %j", (markdown, read) => {
  expect(plain(markdown)).toBe(read);
});
