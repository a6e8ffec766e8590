import fc from "fast-check";
import { expect, test } from "vitest";
import { formulaIn, rewritten } from "./notation";

const none = () => false;

/** What is in the code spans of a text that are formulas, display ones in brackets. */
function formulas(text: string): string[] {
  return [...rewritten(text, none).matchAll(/(`+)(.+?)\1/gs)].flatMap(([, , code = ""]) => {
    const formula = formulaIn(code);
    if (!formula) return [];
    return [formula.isDisplay ? `[${formula.tex}]` : formula.tex];
  });
}

test.each([
  ["Euler: $e^{i\\pi} + 1 = 0$.", ["e^{i\\pi} + 1 = 0"]],
  ["设$x_1$为根", ["x_1"]],
  ["Two: $a$ and $b$", ["a", "b"]],
  ["\\(a_1 * b_1\\) and \\(c\\)", ["a_1 * b_1", "c"]],
  ["$$\nx = 1 % so far\n+ 2\n$$", ["[x = 1 + 2]"]],
  ["so $$x$$ is", ["[x]"]],
  ["\\[\n\\frac{a}{b}\n\\]", ["[\\frac{a}{b}]"]],
  ["- first \\(a\\)\n- \\[b\\]", ["a", "[b]"]],
  ["> $$\n> y\n> $$", ["[y]"]],
  ["| $|x|$ | $\\|y\\|$ |", ["\\vert x\\vert", "\\Vert y\\Vert"]],
  ["$\\sqrt[3]{x}$", ["\\sqrt[3]{x}"]],
  ["$a \\$ b$", ["a \\$ b"]],
])("%j holds formulas", (text, found) => {
  expect(formulas(text)).toEqual(found);
});

test.each([
  "It costs $5 and $10.",
  "Between $20,000 and $30,000, or $5/$6",
  "US$5 and HK$6",
  "\\$a\\$ and \\\\(b\\\\)",
  "`$a$` and ``\\(b\\)``",
  "```\n$a$\n\\(b\\)\n```",
  "```\n```\n",
  "- ```sh\n  echo $HOME $PATH\n  ```",
  "~~~\n$$x$$",
  "    $a$ b",
  "a \\[note\\] b",
  "$ a $",
  "$$",
  "$a",
])("%j holds none, and stays as it is", (text) => {
  expect(rewritten(text, () => true)).toBe(text);
});

test("numbers of sources become links, but not in code and formulas", () => {
  const text = "So [1] and [2], `a[1]`, $\\sqrt[1]{x}$, [1](/x)\n```\na[1]\n```\n[1]";
  const told = rewritten(text, (n) => n === 1);
  expect(told.match(/\[1\]\(#source-1\)/g)).toHaveLength(2);
  expect(told).toContain("`a[1]`");
  expect(told).toContain("\na[1]\n");
  expect(told).toContain("[2],");
});

test("a text without formulas and sources stays as it is", () => {
  const piece = fc.constantFrom(
    "word ",
    "`",
    "```\n",
    "\n",
    "5 ",
    "\\",
    "*",
    "- ",
    "知识",
    "[",
    "]",
    "> ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join("");
      expect(rewritten(text, none)).toBe(text);
    }),
  );
});
