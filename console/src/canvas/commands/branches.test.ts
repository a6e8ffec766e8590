// @vitest-environment node
import { expect, test } from "vitest";
import { parse } from "../document/parse";
import { write } from "../document/tree";
import { graphOf } from "../model/graph";
import { moveBranch, removeBranch } from "./branches";

const BRANCHES = ["data", "inputs", "branches"];
const way = (name: string) => ({ condition: { logic: 2, conditions: [{ operator: 1, name }] } });
const TEXT = JSON.stringify({
  nodes: [
    { id: "1", type: "8", data: { inputs: { branches: [way("a"), way("b"), way("c")] } } },
    ...["2", "3", "4", "5"].map((id) => ({ id, type: "15", data: {} })),
  ],
  edges: [
    { sourceNodeID: "1", targetNodeID: "2", sourcePortID: "true" },
    { sourceNodeID: "1", targetNodeID: "3", sourcePortID: "true_1" },
    { sourceNodeID: "1", targetNodeID: "4", sourcePortID: "branch_2" },
    { sourceNodeID: "1", targetNodeID: "5", sourcePortID: "false" },
  ],
});

/** Where each way leads, by the name in its condition. */
function led(root: ReturnType<typeof parse>["value"]) {
  const json = JSON.parse(write(root));
  const ways: { condition: { conditions: { name: string }[] } }[] =
    json.nodes[0].data.inputs.branches;
  return graphOf(root).edges.map(({ sourcePort, target }) => {
    const number = /(?:true|branch)_(\d+)$/.exec(sourcePort)?.[1] ?? "0";
    const found = sourcePort === "false" ? undefined : ways[Number(number)];
    return `${found?.condition.conditions[0]?.name ?? "else"} → ${target}`;
  });
}

const BEFORE = ["a → 2", "b → 3", "c → 4", "else → 5"];

test.each([
  [0, 2],
  [2, 0],
  [0, 1],
  [1, 1],
])("lines stay with the way that moves from %i to %i", (from, to) => {
  const root = parse(TEXT).value;
  expect(led(root)).toEqual(BEFORE);
  expect(led(moveBranch(root, "1", BRANCHES, from, to))).toEqual(BEFORE);
});

test("a way that is taken away takes its lines along, and no other", () => {
  const root = parse(TEXT).value;
  expect(led(removeBranch(root, "1", BRANCHES, 0))).toEqual(["b → 3", "c → 4", "else → 5"]);
});

test("back and forth gives the same bytes where ports have their usual names", () => {
  const text = TEXT.replace("branch_2", "true_2");
  const moved = moveBranch(parse(text).value, "1", BRANCHES, 0, 2);
  expect(write(moveBranch(moved, "1", BRANCHES, 2, 0))).toBe(text);
});
