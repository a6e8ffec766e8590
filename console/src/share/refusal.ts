import { formatExact } from "../text/formats";
import type { Text } from "./text.en";

type Body = { msg?: string; code?: number; error?: { detail?: string; resets_at?: number } } | null;

/** An answer that is none, as the server gives its reason. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly reason: string;
  /** Seconds since 1970; 0 where nobody knows. */
  readonly resetsAt: number;

  constructor(status: number, body: Body) {
    super(body?.msg ?? "");
    this.status = status;
    this.code = body?.code ?? 0;
    this.reason = (body?.error?.detail ?? "").replaceAll("-", "_");
    this.resetsAt = body?.error?.resets_at ?? 0;
  }
}

const BUDGET_CODE = 4028;
const CLOSED = new Set(["share_link_closed", "share_link_not_found"]);

export function isClosing(error: unknown): error is Refusal {
  return error instanceof Refusal && CLOSED.has(error.reason);
}

/** Whether no repeating helps. */
export function isFinal(error: unknown): boolean {
  return error instanceof Refusal && error.status < 500 && error.status !== 429;
}

/** What a visitor reads of an error; it names no budget, whose name is not a visitor's to know. */
export function wordsOf(error: unknown, text: Text): string {
  if (!(error instanceof Refusal)) return text.unreachable;
  if (error.code === BUDGET_CODE) return budgetWords(error.resetsAt, text);
  if (error.status === 429) return text.tooOften;
  if (error.status === 409) return text.busy;
  return error.status < 500 && error.message ? error.message : text.defect;
}

/** What a visitor reads of a run that failed. */
export function failedWords(code: number, message: string, text: Text): string {
  return code === BUDGET_CODE ? budgetWords(0, text) : message || text.defect;
}

function budgetWords(resetsAt: number, text: Text): string {
  return resetsAt ? text.budgetUntil(formatExact(resetsAt)) : text.budget;
}
