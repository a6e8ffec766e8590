import type { AdminSpan } from "../api/schema";
import { fieldsOf, listOf, parsed, textOf } from "./prompt";

export type Span = AdminSpan;

/** A span with those below it; where it stands is said by its depth. */
export type Branch = {
  span: Span;
  depth: number;
  below: readonly Branch[];
  /** It, or something below it, went wrong. */
  hasError: boolean;
  /** An attempt that was followed by another one. */
  isRepeated: boolean;
};

/** A stretch of time in microseconds from the start of the trace. */
export type Stretch = { from: number; to: number };
export type Place = { left: number; width: number };

/** Puts spans below each other; what lies below nothing known stands at the top. */
export function treeOf(spans: readonly Span[]): readonly Branch[] {
  const known = new Set(spans.map((span) => span.id));
  const byParent = new Map<string, Span[]>();
  for (const span of spans) {
    const parent = span.parent_id && known.has(span.parent_id) ? span.parent_id : "";
    const beside = byParent.get(parent);
    if (beside) beside.push(span);
    else byParent.set(parent, [span]);
  }
  const seen = new Set<string>();
  function grow(parent: string, depth: number): Branch[] {
    const here = (byParent.get(parent) ?? []).filter((span) => !seen.has(span.id));
    for (const span of here) seen.add(span.id);
    return here.map((span, index) => {
      const below = grow(span.id, depth + 1);
      const hasError = span.status === "error" || below.some((each) => each.hasError);
      return { span, depth, below, hasError, isRepeated: isRepeated(here, index) };
    });
  }
  return grow("", 0);
}

/** Whether the next model call beside one is a further attempt of it. */
function isRepeated(beside: readonly Span[], index: number): boolean {
  const attempt = attemptOf(beside[index]);
  if (attempt === undefined) return false;
  const next = beside.find((each, at) => at > index && each.kind === "model");
  return attemptOf(next) === attempt + 1;
}

function attemptOf(span: Span | undefined): number | undefined {
  const attempt = span?.attributes["attempt"];
  return span?.kind === "model" && typeof attempt === "number" ? attempt : undefined;
}

/** The whole time that spans take. */
export function wholeOf(spans: readonly Span[]): Stretch {
  return { from: 0, to: spans.reduce((most, span) => Math.max(most, stretchOf(span).to), 1) };
}

/** Where something lies in what is seen, in percent; nothing if it lies outside. */
export function placeOf(part: Stretch, seen: Stretch): Place | undefined {
  const length = seen.to - seen.from;
  const from = Math.max(part.from, seen.from);
  const to = Math.min(part.to, seen.to);
  if (length <= 0 || to < from) return undefined;
  return { left: percent(from - seen.from, length), width: percent(to - from, length) };
}

export function stretchOf(span: Span): Stretch {
  return { from: span.start_us, to: span.start_us + span.duration_us };
}

/** Where the first piece of an answer came, in percent of what is seen. */
export function firstTokenPlace(span: Span, seen: Stretch): number | undefined {
  const ms = span.attributes["first_token_ms"];
  if (typeof ms !== "number") return undefined;
  const at = span.start_us + ms * 1000;
  return placeOf({ from: at, to: at }, seen)?.left;
}

function percent(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100;
}

/**
 * Ids of the spans that the end of the run waited for: from the end backwards, at each level what
 * ended last before what follows it began.
 */
export function criticalPath(roots: readonly Branch[]): ReadonlySet<string> {
  const found = new Set<string>();
  function walk(branches: readonly Branch[], end: number): void {
    let until = end;
    const latest = branches.toSorted(
      (one, other) => stretchOf(other.span).to - stretchOf(one.span).to,
    );
    for (const branch of latest) {
      const { from, to } = stretchOf(branch.span);
      if (to > until) continue;
      found.add(branch.span.id);
      walk(branch.below, to);
      until = from;
    }
  }
  walk(roots, Number.POSITIVE_INFINITY);
  return found;
}

/** What is folded at first: preparations, which went well nearly always. */
export function firstFolded(roots: readonly Branch[]): ReadonlySet<string> {
  const folded = new Set<string>();
  (function visit(branches: readonly Branch[]): void {
    for (const { span, below, hasError } of branches) {
      if (span.kind === "prepare" && below.length > 0 && !hasError) folded.add(span.id);
      visit(below);
    }
  })(roots);
  return folded;
}

/** Which steps are looked at; `slowFromUs` leaves out those that took less. */
export type Choice = {
  folded: ReadonlySet<string>;
  query: string;
  onlyErrors: boolean;
  slowFromUs?: number | undefined;
};

/** A step is slow that took this part of the whole run. */
const SLOW_SHARE = 0.1;

export function slowFrom(whole: Stretch): number {
  return (whole.to - whole.from) * SLOW_SHARE;
}

/** What is to be seen, top down; a search and errors unfold whatever lies above them. */
export function rowsOf(roots: readonly Branch[], choice: Choice): readonly Branch[] {
  const query = choice.query.trim().toLocaleLowerCase();
  const slow = choice.slowFromUs ?? 0;
  const narrows = query !== "" || choice.onlyErrors || slow > 0;
  const rows: Branch[] = [];
  function visit(branch: Branch): boolean {
    const place = rows.push(branch);
    const isWanted =
      matches(branch, query) &&
      branch.span.duration_us >= slow &&
      (!choice.onlyErrors || branch.span.status === "error");
    let isSeen = !narrows || isWanted;
    if (narrows || !choice.folded.has(branch.span.id))
      for (const each of branch.below) isSeen = visit(each) || isSeen;
    if (!isSeen) rows.length = place - 1;
    return isSeen;
  }
  roots.forEach(visit);
  return rows;
}

function matches({ span }: Branch, query: string): boolean {
  if (query === "") return true;
  return [span.name, span.kind, span.error, span.input, span.output].some((text) =>
    text?.toLocaleLowerCase().includes(query),
  );
}

/** The span that a failed run failed by: the deepest one on the way of the error. */
export function causeOf(roots: readonly Branch[]): Span | undefined {
  const failed = roots.findLast((branch) => branch.span.status === "error");
  return failed && (causeOf(failed.below) ?? failed.span);
}

/** The spans above one, the nearest first. */
export function aboveOf(spans: readonly Span[], span: Span): readonly Span[] {
  const known = new Map(spans.map((each) => [each.id, each]));
  const above: Span[] = [];
  let next = span.parent_id ? known.get(span.parent_id) : undefined;
  while (next && !above.includes(next)) {
    above.push(next);
    next = next.parent_id ? known.get(next.parent_id) : undefined;
  }
  return above;
}

/** Places that slices came to in the searches below a step, by slice and channel. */
export function ranksOf(
  spans: readonly Span[],
  search: Span,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>();
  const below = spans.filter(
    (each) => each.kind === "channel" && aboveOf(spans, each).includes(search),
  );
  for (const { name, output } of below)
    for (const [index, hit] of (listOf(parsed(output ?? "")) ?? []).entries()) {
      const id = textOf(fieldsOf(hit)?.["slice_id"]);
      const ranks = found.get(id) ?? new Map<string, number>();
      const channel = name === "vector" ? "embedding" : name;
      // Several wordings are searched for: the best place counts.
      ranks.set(channel, Math.min(index + 1, ranks.get(channel) ?? Number.POSITIVE_INFINITY));
      found.set(id, ranks);
    }
  return found;
}

/** The model call before this one of the same agent. */
export function callBefore(spans: readonly Span[], span: Span): Span | undefined {
  const agentOf = (each: Span) => aboveOf(spans, each).find((above) => above.kind === "agent")?.id;
  const agent = agentOf(span);
  return spans.findLast(
    (each) =>
      each.kind === "model" &&
      each.id !== span.id &&
      each.start_us < span.start_us &&
      each.status !== "error" &&
      agentOf(each) === agent,
  );
}

const NICE = [1, 2, 5];
const MOST_TICKS = 5;

/** Round times for the axis. */
export function ticksOf(seen: Stretch): readonly number[] {
  const length = seen.to - seen.from;
  let step = 1;
  for (let power = 1; length / step > MOST_TICKS; power *= 10)
    step = (NICE.find((each) => length / (each * power) <= MOST_TICKS) ?? 10) * power;
  const ticks: number[] = [];
  for (let at = Math.ceil(seen.from / step) * step; at < seen.to; at += step) ticks.push(at);
  return ticks;
}

const CLOSEST_US = 50;

/** What is seen after a step closer or further away, around its middle. */
export function zoomed(seen: Stretch, whole: Stretch, factor: number): Stretch {
  const length = Math.max(CLOSEST_US, (seen.to - seen.from) * factor);
  if (length >= whole.to - whole.from) return whole;
  const middle = (seen.from + seen.to) / 2;
  const from = Math.min(Math.max(whole.from, middle - length / 2), whole.to - length);
  return { from, to: from + length };
}
