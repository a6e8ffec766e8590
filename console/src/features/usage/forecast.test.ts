import { expect, test } from "vitest";
import type { BudgetItem } from "../../api/schema";
import { forecast } from "./forecast";

const BUDGET: BudgetItem = {
  id: "1",
  workspace_id: "1",
  creator_id: "1",
  name: "",
  subject_type: "workspace",
  subject_id: "",
  unit: "money",
  amount: "100",
  period: "month",
  zone: "UTC",
  soft_limits: [80],
  is_hard: true,
  spent: "30",
  reserved: "0",
  left: "70",
  state: "ok",
  begins_at: 1000,
  resets_at: 2000,
  created_at: 0,
  updated_at: 0,
};

test("half of the period and 30 % used end at 60 %", () => {
  expect(forecast(BUDGET, 1500)).toBeCloseTo(0.6);
});

test("nothing is foretold at the very beginning, and where no period ends", () => {
  expect(forecast(BUDGET, 1001)).toBeUndefined();
  expect(forecast({ ...BUDGET, resets_at: null }, 1500)).toBeUndefined();
});
