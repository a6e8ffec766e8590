import { expect, test } from "vitest";
import {
  callBefore,
  causeOf,
  criticalPath,
  firstFolded,
  firstTokenPlace,
  placeOf,
  ranksOf,
  rowsOf,
  type Span,
  slowFrom,
  stretchOf,
  ticksOf,
  treeOf,
  wholeOf,
  zoomed,
} from "./layout";

function span(
  id: string,
  parent: string,
  from: number,
  to: number,
  more: Partial<Span> = {},
): Span {
  return {
    id,
    parent_id: parent || null,
    run_id: "1",
    kind: "step",
    name: id,
    start_us: from,
    duration_us: to - from,
    status: "ok",
    error_code: 0,
    error: "",
    attributes: {},
    input: null,
    output: null,
    usage: null,
    cost: "0",
    links: [],
    ...more,
  };
}

/** Two parallel tools, one model call that was repeated, and an agent below a tool. */
const RUN = [
  span("lead", "", 0, 1000, { kind: "agent" }),
  span("prepare", "lead", 0, 100, { kind: "prepare" }),
  span("memory", "prepare", 10, 90, { kind: "memory" }),
  span("one", "lead", 100, 900),
  span("first", "one", 100, 200, { kind: "model", status: "error", attributes: { attempt: 1 } }),
  span("again", "one", 220, 400, {
    kind: "model",
    attributes: { attempt: 2, first_token_ms: 0.05 },
  }),
  span("slow", "one", 400, 900, { kind: "tool" }),
  span("helper", "slow", 420, 880, { kind: "agent" }),
  span("quick", "one", 400, 600, { kind: "tool", output: "sunny" }),
  span("two", "lead", 900, 1000),
  span("last", "two", 900, 1000, { kind: "model", attributes: { attempt: 1 } }),
];
const TREE = treeOf(RUN);
const none = { folded: new Set<string>(), query: "", onlyErrors: false };
const idsOf = (rows: ReturnType<typeof rowsOf>) => rows.map((row) => row.span.id);

test("bars lie where their time is, in percent, and parallel ones above each other", () => {
  const seen = wholeOf(RUN);
  const places = Object.fromEntries(RUN.map((each) => [each.id, placeOf(stretchOf(each), seen)]));
  expect(places).toMatchObject({
    lead: { left: 0, width: 100 },
    first: { left: 10, width: 10 },
    again: { left: 22, width: 18 },
    slow: { left: 40, width: 50 },
    quick: { left: 40, width: 20 },
    helper: { left: 42, width: 46 },
    last: { left: 90, width: 10 },
  });
  const again = RUN.find((each) => each.id === "again");
  expect(again && firstTokenPlace(again, seen)).toBe(27);
});

test("what lies outside of what is seen is not drawn, and the rest is cut", () => {
  const seen = { from: 500, to: 700 };
  expect(placeOf({ from: 400, to: 600 }, seen)).toEqual({ left: 0, width: 50 });
  expect(placeOf({ from: 0, to: 100 }, seen)).toBeUndefined();
});

test("attempts that were repeated are told from the one that counted", () => {
  const branches = TREE[0]?.below[1]?.below ?? [];
  expect(branches.map(({ span: { id }, isRepeated }) => [id, isRepeated])).toEqual([
    ["first", true],
    ["again", false],
    ["slow", false],
    ["quick", false],
  ]);
});

test("the critical path is what the end waited for", () => {
  expect([...criticalPath(TREE)].toSorted()).toEqual(
    [
      "again",
      "first",
      "helper",
      "last",
      "lead",
      "memory",
      "one",
      "prepare",
      "slow",
      "two",
    ].toSorted(),
  );
});

test("rows fold, and a search shows the way to what it finds", () => {
  const folded = firstFolded(TREE);
  expect(idsOf(rowsOf(TREE, { ...none, folded }))).not.toContain("memory");
  expect(idsOf(rowsOf(TREE, { ...none, folded, query: "SUNNY" }))).toEqual([
    "lead",
    "one",
    "quick",
  ]);
  expect(idsOf(rowsOf(TREE, { ...none, onlyErrors: true }))).toEqual(["lead", "one", "first"]);
  expect(idsOf(rowsOf(TREE, { ...none, slowFromUs: 400 }))).toEqual([
    "lead",
    "one",
    "slow",
    "helper",
  ]);
  expect(slowFrom(wholeOf(RUN))).toBe(100);
  expect(rowsOf(TREE, none)).toHaveLength(RUN.length);
});

test("a failed run names the deepest span that failed; a repeated attempt is no cause", () => {
  expect(causeOf(TREE)).toBeUndefined();
  const failed = RUN.map((each) =>
    ["lead", "one", "slow", "helper"].includes(each.id) ? { ...each, status: "error" } : each,
  );
  expect(causeOf(treeOf(failed))?.id).toBe("helper");
});

test("a call knows the one before it of the same agent", () => {
  const last = RUN.find((each) => each.id === "last");
  expect(last && callBefore(RUN, last)?.id).toBe("again");
});

test("spans of unknown parents stand at the top, and circles end", () => {
  expect(treeOf([span("a", "gone", 0, 1)]).map((each) => each.span.id)).toEqual(["a"]);
  expect(treeOf([span("a", "b", 0, 1), span("b", "a", 0, 1)])).toEqual([]);
});

test("ticks are round and few, and zooming stays inside", () => {
  expect(ticksOf({ from: 0, to: 832_892 })).toEqual([0, 200_000, 400_000, 600_000, 800_000]);
  const whole = { from: 0, to: 1000 };
  expect(zoomed(whole, whole, 0.5)).toEqual({ from: 250, to: 750 });
  expect(zoomed({ from: 0, to: 400 }, whole, 2)).toEqual({ from: 0, to: 800 });
  expect(zoomed({ from: 250, to: 750 }, whole, 2)).toEqual(whole);
});

test("the place of a slice in each channel is its best one over all wordings", () => {
  const hits = (...ids: string[]) => JSON.stringify(ids.map((id) => ({ slice_id: id, score: 1 })));
  const search = span("search", "", 0, 90, { kind: "retrieval" });
  const spans = [
    search,
    span("vector", "search", 0, 10, { kind: "channel", output: hits("7", "8") }),
    span("vector again", "search", 10, 20, {
      kind: "channel",
      name: "vector",
      output: hits("8", "9"),
    }),
    span("full_text", "search", 0, 10, { kind: "channel", output: hits("9") }),
    span("elsewhere", "", 0, 10, { kind: "channel", name: "full_text", output: hits("8") }),
  ];
  const ranks = ranksOf(spans, search);
  expect(Object.fromEntries(ranks.get("8") ?? [])).toEqual({ embedding: 1 });
  expect(Object.fromEntries(ranks.get("9") ?? [])).toEqual({ embedding: 2, full_text: 1 });
});
