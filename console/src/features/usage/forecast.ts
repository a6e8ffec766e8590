import type { BudgetItem } from "../../api/schema";

/** So early in a period what was spent says nothing yet. */
const EARLIEST = 0.03;

/** How much of its amount a budget will have spent at the end of its period, at the present pace. */
export function forecast(budget: BudgetItem, nowS: number): number | undefined {
  if (budget.resets_at === null) return undefined;
  const passed = (nowS - budget.begins_at) / (budget.resets_at - budget.begins_at);
  if (passed < EARLIEST || passed > 1) return undefined;
  return share(budget) / passed;
}

export function share(budget: { spent: string; amount: string }): number {
  return Number(budget.spent) / Number(budget.amount);
}
