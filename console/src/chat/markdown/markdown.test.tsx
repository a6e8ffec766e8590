import { render, waitFor } from "@testing-library/react";
import { beforeAll, expect, test, vi } from "vitest";
import { uiText } from "../../ui/text";
import { coloured, maths } from "../part";
import { chatText } from "../text";
import { MarkdownText } from "./markdown";

beforeAll(async () => {
  await Promise.all([chatText.load("en"), uiText.load("en")]);
  for (const part of [coloured, maths]) part.begin();
  const loaded = () => [coloured, maths].every((part) => part.snapshot() !== undefined);
  await vi.waitFor(() => expect(loaded()).toBe(true), { timeout: 60_000 });
});

const CODE = "```python\nreturn None\n";

test("a formula is MathML, with its TeX beside it", async () => {
  const { container } = render(<MarkdownText text={"So $e^{i\\pi}$, for $5."} />);
  await waitFor(() => expect(container.querySelectorAll("math")).toHaveLength(1));
  expect(container.querySelector("annotation")?.textContent).toBe("e^{i\\pi}");
  expect(container.textContent).toContain("for $5.");
});

test("a formula that is wrong, or not closed yet, stays as it was written", () => {
  const wrong = render(<MarkdownText text={"Not $\\frac{a$ so"} />);
  expect(wrong.container.querySelector("code")?.textContent).toBe("\\frac{a");
  const open = render(<MarkdownText text={"So $$\\frac{a}{b}"} />);
  expect(open.container.querySelector("math, code")).toBeNull();
});

test("code is coloured once its fence is closed, and is the same text before and after", () => {
  const { container, rerender } = render(<MarkdownText text={CODE} />);
  const before = container.querySelector("pre")?.textContent;
  expect(container.querySelector("pre span")).toBeNull();
  rerender(<MarkdownText text={`${CODE}\`\`\``} />);
  expect(container.querySelector("pre span")?.textContent).toBe("return");
  expect(container.querySelector("pre")?.textContent).toBe(before);
});

test("marks of sources stand in the text, and not in code", () => {
  const mark = (n: number) => (n === 1 ? <b>one</b> : undefined);
  const { container } = render(<MarkdownText text={"It is [1], `a[1]` [2]"} mark={mark} />);
  expect(container.querySelectorAll("b")).toHaveLength(1);
  expect(container.querySelector("code")?.textContent).toBe("a[1]");
});
