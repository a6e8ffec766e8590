import { expect, test } from "vitest";
import { shownColumns } from "./column-choice";

test("unasked, cost is shown where there is any", () => {
  expect(shownColumns(undefined, false)).not.toContain("cost");
  expect(shownColumns([], true)).toContain("cost");
});

test("what one chose is shown in its order, and what is not known falls out", () => {
  expect(shownColumns(["user", "moon", "question"], false)).toEqual(["question", "user"]);
});
