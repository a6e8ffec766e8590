import { expect, test } from "vitest";
import { shownColumns } from "./column-choice";

const NONE = { hasCost: false, hasTags: false };

test("unasked, cost and tags are shown where there are any", () => {
  expect(shownColumns(undefined, NONE)).not.toContain("cost");
  expect(shownColumns([], { ...NONE, hasCost: true })).toContain("cost");
  expect(shownColumns([], NONE)).not.toContain("tags");
  expect(shownColumns([], { ...NONE, hasTags: true })).toContain("tags");
});

test("what one chose is shown in its order, and what is not known falls out", () => {
  expect(shownColumns(["user", "moon", "question"], NONE)).toEqual(["question", "user"]);
});
