import { expect, test } from "vitest";
import { dayLine } from "./day";

const text = { today: "Today", yesterday: "Yesterday" };
const at = (moment: string) => Date.parse(`${moment}Z`) / 1000;
const NOW = at("2026-11-30T09:00");

test.each([
  ["2026-11-30T08:00", "2026-11-29T23:59", "Today"],
  ["2026-11-29T00:01", "2026-11-28T23:59", "Yesterday"],
  ["2026-11-24T08:00", "2026-11-20T08:00", "Tuesday, November 24"],
  ["2025-11-24T08:00", "2025-11-20T08:00", "Monday, November 24, 2025"],
  ["2026-11-24T18:00", "2026-11-24T08:00", undefined],
])("%s after %s begins with %s", (moment, before, line) => {
  expect(dayLine(at(moment), at(before), NOW, text, "UTC")).toBe(line);
});

test("the first of a conversation has its day where it is not today, and unknown times none", () => {
  expect(dayLine(at("2026-11-30T08:00"), 0, NOW, text, "UTC")).toBeUndefined();
  expect(dayLine(at("2026-11-29T08:00"), 0, NOW, text, "UTC")).toBe("Yesterday");
  expect(dayLine(0, NOW, NOW, text, "UTC")).toBeUndefined();
});

test("days are those of the zone of whoever reads", () => {
  const [late, early] = [at("2026-11-29T23:30"), at("2026-11-29T20:00")];
  expect(dayLine(late, early, NOW, text, "UTC")).toBeUndefined();
  expect(dayLine(late, early, NOW, text, "Europe/Berlin")).toBe("Today");
});
