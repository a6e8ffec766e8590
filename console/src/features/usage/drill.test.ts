import { expect, test } from "vitest";
import { runsOf } from "./drill";

const SPAN = { since: 100, until: 200, interval: "day" } as const;

test("a group leads to its runs where runs can be told apart by all of it", () => {
  expect(runsOf({ agent: "1", end_user: "eve" }, SPAN)).toEqual({
    time: "100-200",
    agent: "1",
    user: "eve",
  });
  expect(runsOf({ agent: "1", kind: "chat" }, SPAN)).toBeUndefined();
  expect(runsOf({ agent: "" }, SPAN)).toBeUndefined();
});
