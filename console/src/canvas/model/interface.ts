import { at, textOf } from "../document/read";
import type { Value } from "../document/tree";
import { type Field, field, fieldOf } from "./field";
import { entryOf, exitOf, type Graph } from "./graph";
import { inputsOf, outputsOf } from "./output";

/** How much a change matters to whoever calls: it may break them, offers more, or is inside. */
export type ChangeSize = "major" | "minor" | "patch";

type Interface = {
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
  readonly isAnswer: boolean;
};

/** What callers of a workflow see of it: inputs, outputs, and whether that is one text. */
export function interfaceOf(graph: Graph): Interface {
  const [entry, exit] = [entryOf(graph), exitOf(graph)];
  const plan = textOf(at(exit?.value, ["data", "inputs", "terminatePlan"]));
  const isAnswer = plan === "useAnswerContent";
  const given = exit ? inputsOf(exit).map((each) => ({ ...each.type, name: each.name })) : [];
  return {
    inputs: entry ? outputsOf(entry) : [],
    outputs: isAnswer ? [field("output", "string")] : given,
    isAnswer,
  };
}

/** Names of inputs that are other ones now than those that a caller was filled in for. */
export function driftOf(known: readonly Value[], now: readonly Field[]): readonly string[] {
  const told = (each: Field) => JSON.stringify([each.name, shapeOf(each), each.isRequired]);
  const old = known.map(fieldOf);
  const same = new Set(old.map(told));
  const names = new Set(now.map((each) => each.name));
  return [
    ...now.filter((each) => !same.has(told(each))).map((each) => each.name),
    ...old.filter((each) => !names.has(each.name)).map((each) => each.name),
  ];
}

/** What a change of a canvas means to those who call it. */
export function changeSize(before: Graph, after: Graph): ChangeSize {
  const [old, next] = [interfaceOf(before), interfaceOf(after)];
  const wasRequired = (name: string) =>
    old.inputs.some((each) => each.name === name && each.isRequired);
  const asksMore = next.inputs.some((each) => each.isRequired && !wasRequired(each.name));
  if (old.isAnswer !== next.isAnswer || asksMore) return "major";
  if (!keeps(old.inputs, next.inputs) || !keeps(old.outputs, next.outputs)) return "major";
  return keeps(next.inputs, old.inputs) && keeps(next.outputs, old.outputs) ? "patch" : "minor";
}

/** Whether all that was there is there, with the same type. */
function keeps(old: readonly Field[], next: readonly Field[]): boolean {
  const shapes = new Map(next.map((each) => [each.name, shapeOf(each)]));
  return old.every((each) => shapes.get(each.name) === shapeOf(each));
}

function shapeOf({ type, assistType, fields, item }: Field): string {
  return JSON.stringify([
    type,
    assistType,
    fields.map((each) => [each.name, shapeOf(each)]),
    item ? shapeOf(item) : "",
  ]);
}

/** The version behind the last one, by what changed since; the first one where there is none. */
export function nextVersion(last: string, size: ChangeSize): string {
  const [, sign = "v", ...said] = /^(v?)(\d+)\.(\d+)\.(\d+)$/.exec(last) ?? [];
  const [major = 0, minor = 0, patch = 0] = said.map(Number);
  const next = {
    major: [major + 1, 0, 0],
    minor: [major, minor + 1, 0],
    patch: [major, minor, patch + 1],
  }[size];
  return sign + next.join(".");
}
