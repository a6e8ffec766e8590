// @vitest-environment node
import { expect, test } from "vitest";
import { parse } from "../document/parse";
import { graphOf } from "./graph";
import { readersOf } from "./readers";

const read = (blockID: string, name: string) => ({
  type: "string",
  value: { type: "ref", content: { source: "block-output", blockID, name } },
});

const node = (id: string, type: string, inputs: object) => ({
  id,
  type,
  data: { nodeMeta: { title: `Node ${id}` }, inputs },
});

const graph = graphOf(
  parse(
    JSON.stringify({
      nodes: [
        node("1", "5", {}),
        node("2", "15", { inputParameters: [{ name: "a", input: read("1", "text") }] }),
        node("3", "45", { apiInfo: { url: "https://x.example/{{block_output_1.place.id}}" } }),
        node("4", "15", { inputParameters: [{ name: "a", input: read("2", "output") }] }),
      ],
      edges: [],
    }),
  ).value,
);

test.each([
  ["any output", ["1"], undefined, ["2", "3"]],
  ["one output", ["1"], "text", ["2"]],
  ["an output that a text names", ["1"], "place", ["3"]],
  ["nodes that go together", ["1", "2"], undefined, ["3", "4"]],
  ["what nobody reads", ["4"], undefined, []],
])("those who read %s are found", (_, ids, output, readers) => {
  expect(readersOf(graph, new Set(ids), output).map(({ id }) => id)).toEqual(readers);
});
