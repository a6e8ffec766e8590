// @vitest-environment node
import { expect, test } from "vitest";
import { addEdge, addNode, newNode } from "../commands/nodes";
import { parse } from "../document/parse";
import { graphOf } from "./graph";
import { SELECTOR, TEXT } from "./kind";
import { portToFollow } from "./port";

const at = { x: 0, y: 0 };
const data = { inputs: { branches: [{}, {}] } };

test("what is added behind a node follows the first way that leads nowhere, else the first", () => {
  let root = parse('{"nodes":[],"edges":[]}').value;
  root = addNode(root, "", newNode({ id: "1", type: SELECTOR, title: "Which", at, data }));
  root = addNode(root, "", newNode({ id: "2", type: TEXT, title: "Text", at, data: {} }));
  const taken: (string | undefined)[] = [];
  for (let count = 0; count < 4; count += 1) {
    const graph = graphOf(root);
    const node = graph.nodes.get("1");
    const port = node && portToFollow(graph, node);
    taken.push(port?.id);
    const edge = { source: "1", sourcePort: port?.id ?? "", target: "2", targetPort: "" };
    root = addEdge(root, "", edge);
  }
  expect(taken).toEqual(["true", "true_1", "false", "true"]);
});
