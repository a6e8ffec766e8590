// @vitest-environment node
import { expect, test } from "vitest";
import { parse } from "../document/parse";
import { graphOf } from "../model/graph";
import { EXAMPLES, example } from "../testing/examples";
import { isMockable, mocksFor } from "./mocks";

test("what begins, ends or chooses a way cannot be replaced", () => {
  const nodes = [...graphOf(parse(example("ex02")).value).nodes.values()];
  const usable = nodes.filter(isMockable).map((node) => node.type);
  expect(usable.toSorted()).toEqual(["15", "15", "32"]);
});

test("outputs of nodes that are gone do not go along", () => {
  for (const { text } of EXAMPLES) {
    const graph = graphOf(parse(text).value);
    const mocks = new Map([...graph.nodes.keys(), "gone"].map((id) => [id, { output: id }]));
    const sent = Object.keys(mocksFor(graph, mocks));
    const expected = [...graph.nodes.values()].filter(isMockable).map((node) => node.id);
    expect(sent.toSorted()).toEqual(expected.toSorted());
  }
});
