import { dateFormat, numberFormat } from "./formatters";
import { currentZone } from "./zone";

const SMALL = { maximumSignificantDigits: 4 } as const;

/** Money with its currency; small amounts with up to four significant digits: `$0.0031`. */
export function formatMoney(amount: number, currency: string): string {
  return numberFormat({
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    ...(amount !== 0 && Math.abs(amount) < 1 ? SMALL : {}),
  }).format(amount);
}

/** A share as `12.3 %`; with its sign where it is a change. */
export function formatPercent(share: number, isChange = false): string {
  return numberFormat({
    style: "percent",
    maximumFractionDigits: Math.abs(share) < 0.1 ? 1 : 0,
    ...(isChange ? { signDisplay: "exceptZero" } : {}),
  }).format(share);
}

const STEPS = {
  hour: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { day: "numeric", month: "short" },
  month: { month: "short", year: "2-digit" },
} as const;

/** When a step of a series begins, in short. */
export function formatStep(seconds: number, interval: keyof typeof STEPS): string {
  const form = { ...STEPS[interval], timeZone: currentZone() };
  return dateFormat(form).format(new Date(seconds * 1000));
}
