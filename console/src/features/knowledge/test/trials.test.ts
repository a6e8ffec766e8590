import { expect, test } from "vitest";
import { FIRST_STRATEGY } from "../../../retrieval/strategy";
import { keptStrategy } from "./kept";
import type { Found } from "./queries";
import { movementOf, numbered } from "./trials";

function found(...ids: string[]): Found {
  const items = ids.map((id) => ({
    slice_id: id,
    document_id: "1",
    dataset_id: "1",
    document_name: "",
    dataset_name: "",
    content: "",
    score: 0,
    scores: {},
    source: "",
    page: 0,
    sheet: "",
    row: 0,
    position: 0,
    tags: {},
    url: "",
    also_in: [],
  }));
  const usage = { input_tokens: 0, output_tokens: 0 };
  return { items, tokens: 0, queries: [], skipped: [], stages: [], usage, candidates: null };
}

test("what moved between two searches is counted by where each slice stood", () => {
  const movement = movementOf(found("a", "b", "c", "d"), found("c", "a", "e"));
  expect(movement).toEqual({ up: 1, down: 1, isNew: 1, gone: 2 });
  expect(movementOf(found("a"), found("a"))).toEqual({ up: 0, down: 0, isNew: 0, gone: 0 });
});

test("settings come back as they were kept, and what is not one of them as at first", () => {
  const strategy = {
    ...FIRST_STRATEGY,
    kind: "full_text" as const,
    topK: 9,
    weight: 0.3,
    reranks: true,
    filter: { field: "name", op: "eq", value: "a" },
  };
  expect(keptStrategy(JSON.stringify(strategy), FIRST_STRATEGY)).toEqual(strategy);
  const odd = JSON.stringify({ kind: "telepathy", topK: "many", minScore: 0.2, more: 1 });
  expect(keptStrategy(odd, FIRST_STRATEGY)).toEqual({ ...FIRST_STRATEGY, minScore: 0.2 });
  expect(keptStrategy("no json", FIRST_STRATEGY)).toEqual(FIRST_STRATEGY);
});

test("two searches of the same second have numbers of their own", () => {
  const made = (id: string) => ({
    id,
    at: 1,
    question: "Luggage?",
    strategy: FIRST_STRATEGY,
    found: found(),
  });
  const one = numbered([], [made("a"), made("b")]);
  expect(numbered(one, [made("c")]).map(({ id, number }) => [id, number])).toEqual([
    ["c", 3],
    ["b", 2],
    ["a", 1],
  ]);
});
