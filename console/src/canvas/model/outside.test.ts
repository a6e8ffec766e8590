// @vitest-environment node
import { expect, test } from "vitest";
import { parse } from "../document/parse";
import { example } from "../testing/examples";
import { graphOf } from "./graph";
import { readOutside, valueAt } from "./outside";

const noneFixed = () => [];

function outside(text: string, id: string) {
  const graph = graphOf(parse(text).value);
  const node = graph.nodes.get(id);
  if (!node) throw new Error(`No node ${id}`);
  return readOutside(graph, node, noneFixed).map(({ field, label }) => [
    field.name,
    label,
    field.type,
  ]);
}

test("a request reads what its texts name", () => {
  expect(outside(example("ex09"), "108001")).toEqual([["100001.q", "Start 001.q", "string"]]);
});

test("a condition is read elsewhere, a named input is not", () => {
  const input = (name: string, block: string) => ({
    type: "integer",
    value: { type: "ref", content: { source: "block-output", blockID: block, name } },
  });
  const from = (id: string, title: string) => ({
    id,
    type: "1",
    data: { nodeMeta: { title }, outputs: [{ name: "count", type: "integer" }] },
  });
  const inputs = {
    inputParameters: [{ name: "own", input: input("count", "1") }],
    selectParam: {
      condition: { conditionList: [[{ name: "right", input: input("count", "2") }]] },
    },
  };
  const text = JSON.stringify({
    nodes: [from("1", "One"), from("2", "Two"), { id: "3", type: "43", data: { inputs } }],
    edges: [],
  });
  expect(outside(text, "3")).toEqual([["2.count", "Two.count", "integer"]]);
});

test("a loop is given what its body reads outside of it, and nothing of its own", () => {
  const names = outside(example("ex03"), loopOf(example("ex03"))).map(([name]) => name);
  expect(names.filter((name) => name?.startsWith(loopOf(example("ex03"))))).toEqual([]);
});

function loopOf(text: string): string {
  const graph = graphOf(parse(text).value);
  return [...graph.nodes.values()].find((each) => each.type === "21")?.id ?? "";
}

test("what a run gave is found along the names, or not at all", () => {
  expect(valueAt({ user: { name: "Ada" } }, ["user", "name"])).toBe("Ada");
  expect(valueAt({ user: null }, ["user", "name"])).toBeUndefined();
  expect(valueAt({ users: [{ name: "Ada" }, { name: "Ben" }] }, ["users", "name"])).toBe("Ada");
});
