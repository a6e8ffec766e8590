// @vitest-environment node
import fc from "fast-check";
import { expect, test } from "vitest";
import { moveNodes, setInNode } from "../commands/nodes";
import { parse } from "../document/parse";
import { write } from "../document/tree";
import { graphOf } from "../model/graph";
import { changed, changes } from "../testing/changes";
import { EXAMPLES, example } from "../testing/examples";
import { FlowNodes } from "./flow-nodes";

const NONE = new Set<string>();

test.each(EXAMPLES)("what is drawn of $name is what a fresh reading draws", ({ text }) => {
  fc.assert(
    fc.property(changes, (steps) => {
      const kept = new FlowNodes();
      let root = parse(text).value;
      for (const step of steps) {
        root = changed(root, step);
        const [id = ""] = graphOf(root).nodes.keys();
        const chosen = new Set([id]);
        const fresh = new FlowNodes();
        const again = graphOf(parse(write(root)).value);
        expect(told(kept.nodes(graphOf(root), chosen))).toEqual(told(fresh.nodes(again, chosen)));
        expect(kept.edges(graphOf(root), NONE)).toEqual(fresh.edges(again, NONE));
      }
    }),
    { numRuns: 5 },
  );
});

/** Nodes without the places of their text, which a test compares by what is drawn of it. */
function told(nodes: ReturnType<FlowNodes["nodes"]>) {
  return nodes.map((node) =>
    node.type === "frame"
      ? node
      : { ...node, data: { card: node.data.card, title: node.data.node.title } },
  );
}

test("a node that moves leaves all others and the list of lines as they are", () => {
  const flow = new FlowNodes();
  const root = parse(example("ex02")).value;
  const [id = ""] = graphOf(root).nodes.keys();
  const nodes = flow.nodes(graphOf(root), NONE);
  const edges = flow.edges(graphOf(root), NONE);
  const moved = graphOf(moveNodes(root, new Map([[id, { position: { x: 5, y: 5 } }]])));
  const others = flow.nodes(moved, NONE).filter((each) => !nodes.includes(each));
  expect(others.map((each) => each.id)).toEqual([id]);
  expect(flow.edges(moved, NONE)).toBe(edges);
});

test("a chosen line is drawn anew, and no other", () => {
  const flow = new FlowNodes();
  const graph = graphOf(parse(example("ex02")).value);
  const edges = flow.edges(graph, NONE);
  const chosen = flow.edges(graph, new Set([edges[0]?.id ?? ""]));
  expect(chosen.filter((each) => !edges.includes(each)).map((each) => each.selected)).toEqual([
    true,
  ]);
});

test("a change of settings leaves the lines alone that leave by the same port", () => {
  const flow = new FlowNodes();
  const root = parse(example("ex02")).value;
  const edges = flow.edges(graphOf(root), NONE);
  const source = graphOf(root).edges[0]?.source ?? "";
  const described = setInNode(root, source, ["data", "nodeMeta", "description"], "Another");
  expect(flow.edges(graphOf(described), NONE)).toBe(edges);
});

test("a line is called by the titles of the nodes that it joins", () => {
  const flow = new FlowNodes();
  const root = parse(example("ex02")).value;
  flow.edges(graphOf(root), NONE);
  const { source = "", target = "" } = graphOf(root).edges[0] ?? {};
  const title = graphOf(root).nodes.get(source)?.title;
  const renamed = setInNode(root, target, ["data", "nodeMeta", "title"], "Another");
  expect(flow.edges(graphOf(renamed), NONE)[0]?.ariaLabel).toBe(`${title} → Another`);
});
