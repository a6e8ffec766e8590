import { expect, test } from "vitest";
import { type Asked, askedOf, linesOf, withoutAnswers } from "./asked";

const NONE: Asked = { text: "", options: [], fields: [], url: "" };

const field = (name: string, type: string) => ({ name, type, isRequired: false, hint: "" });

test("what was left empty is left out", () => {
  const fields = [field("day", "string"), field("pier", "integer"), field("bicycle", "boolean")];
  expect(linesOf(fields, { pier: " 2 " })).toBe("pier: 2\nbicycle: false");
});

test("a question that words alone answer has no card", () => {
  expect(askedOf({ text: "When?", options: [], fields: [], url: "" })).toBeUndefined();
  expect(askedOf({ text: "How?", options: ["Bus"] })).toEqual({
    ...NONE,
    text: "How?",
    options: ["Bus"],
  });
});

test("answers that a card shows are not listed above it", () => {
  const options = { ...NONE, options: ["Bus", "Ferry"] };
  expect(withoutAnswers("How?\n- Bus\n- Ferry", options)).toBe("How?");
  expect(withoutAnswers("How?", options)).toBe("How?");
  expect(withoutAnswers("day:", { ...NONE, fields: [field("day", "string")] })).toBe("");
  const access = { ...NONE, url: "https://sea.example/go" };
  expect(withoutAnswers("Give access.\nhttps://sea.example/go", access)).toBe("Give access.");
});
