import type { Value } from "../document/tree";

const DEEPEST = 500;
const ONE_STEP_MS = 800;

export type Selection = ReadonlySet<string>;

/** A state of the document with what was chosen in it. */
export type Moment = { readonly root: Value; readonly selection: Selection };

/**
 * One step, from one state to another. Documents never change and share what they have in common,
 * so both ends are kept whole: the inverse of a step is exact whatever it did.
 */
export type Step = {
  readonly label: string;
  /** Steps of one field that follow each other quickly are one. */
  readonly field: string;
  readonly before: Moment;
  readonly after: Moment;
  readonly at: number;
};

export type History = { readonly past: readonly Step[]; readonly future: readonly Step[] };

export const NO_HISTORY: History = { past: [], future: [] };

/** The history with one more step; what was undone before is forgotten. */
export function pushed(history: History, step: Step): History {
  if (step.before.root === step.after.root) return history;
  const last = history.past.at(-1);
  const isOne = last && step.field !== "" && last.field === step.field;
  if (isOne && step.at - last.at < ONE_STEP_MS) {
    const joined = { ...step, before: last.before };
    return { past: [...history.past.slice(0, -1), joined], future: [] };
  }
  return { past: [...history.past, step].slice(-DEEPEST), future: [] };
}

export type Turn = { readonly history: History; readonly moment: Moment; readonly label: string };

export function undone(history: History): Turn | undefined {
  const step = history.past.at(-1);
  if (!step) return undefined;
  return {
    history: { past: history.past.slice(0, -1), future: [step, ...history.future] },
    moment: step.before,
    label: step.label,
  };
}

export function redone(history: History): Turn | undefined {
  const [step, ...future] = history.future;
  if (!step) return undefined;
  return {
    history: { past: [...history.past, { ...step, field: "" }], future },
    moment: step.after,
    label: step.label,
  };
}
