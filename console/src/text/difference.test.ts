import fc from "fast-check";
import { expect, test } from "vitest";
import { lineDifference, wordDifference } from "./difference";

const side = (pieces: readonly { kind: string; text: string }[], other: "left" | "right") =>
  pieces.filter(({ kind }) => kind !== other).map(({ text }) => text);

test("each side can be read out of the difference of lines", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [left, right] = [one.join("\n"), other.join("\n")];
      const found = lineDifference(left, right);
      expect(side(found, "right").join("\n")).toBe(left);
      expect(side(found, "left").join("\n")).toBe(right);
    }),
  );
});

test("each side can be read out of the difference of words", () => {
  const text = fc.string({ unit: fc.constantFrom("ab", " ", "值", ".", "\n", "x") });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const found = wordDifference(left, right);
      expect(side(found, "right").join("")).toBe(left);
      expect(side(found, "left").join("")).toBe(right);
    }),
  );
});

test("equal texts have no difference, and one changed word is one", () => {
  expect(wordDifference("one two", "one two")).toEqual([{ kind: "same", text: "one two" }]);
  expect(wordDifference("one two three", "one 2 three")).toEqual([
    { kind: "same", text: "one " },
    { kind: "left", text: "two" },
    { kind: "right", text: "2" },
    { kind: "same", text: " three" },
  ]);
});

test("signs of Chinese are compared one by one", () => {
  expect(wordDifference("开往北京", "开往南京").filter(({ kind }) => kind !== "same")).toEqual([
    { kind: "left", text: "北" },
    { kind: "right", text: "南" },
  ]);
});

test("texts with nothing in common are compared all the same", () => {
  const many = (stem: string) => Array.from({ length: 3000 }, (_, at) => stem + at).join("\n");
  const found = lineDifference(many("a"), many("b"));
  expect(found).toHaveLength(6000);
});
