import { expect, test } from "vitest";
import { formatMoney, formatPercent } from "./amounts";

test.each([
  [0, "$0.00"],
  [0.003_149, "$0.003149"],
  [0.000_000_5, "$0.0000005"],
  [12.3456, "$12.35"],
  [1234.5, "$1,234.50"],
])("%d is said as %s", (amount, said) => {
  expect(formatMoney(amount, "USD")).toBe(said);
});

test.each([
  [0.5, false, "50%"],
  [0.031, false, "3.1%"],
  [0.25, true, "+25%"],
  [-1, true, "-100%"],
  [0, true, "0%"],
] as const)("the share %d is said as %s", (share, isChange, said) => {
  expect(formatPercent(share, isChange)).toBe(said);
});
