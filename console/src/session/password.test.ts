import { expect, test } from "vitest";
import { strengthOf } from "./password";

test.each([
  ["", "short"],
  ["elevenchars", "short"],
  ["aaaaaaaabbbb", "guessable"],
  ["ada-ada-ada-ada", "guessable"],
  ["2024-12-24 2024", "guessable"],
  ["harbourlight", "fair"],
  ["four unrelated words", "strong"],
] as const)("%s is %s", (password, strength) => {
  expect(strengthOf(password, ["Ada", ""])).toBe(strength);
});
