import { expect, test } from "vitest";
import { filledIn } from "./filled-in";

test("values stand where variables were, whatever they hold", () => {
  const prompt = "Greet people of {{city}} in {{ city }}; sign as {{name}}.";
  expect(filledIn(prompt, { city: "$& Oslo" })).toBe(
    "Greet people of $& Oslo in $& Oslo; sign as {{name}}.",
  );
});
