// @vitest-environment node
import { describe, expect, test } from "vitest";
import { addEdge, moveNodes, removeEdges, removeNodes, setInNode } from "../commands/nodes";
import { parse } from "../document/parse";
import { type Value, write } from "../document/tree";
import { graphOf } from "../model/graph";
import { EXAMPLES, example } from "../testing/examples";
import { compared } from "./compare";

const base = parse(example("ex02")).value;

function nodeNamed(root: Value, type: string): string {
  const found = [...graphOf(root).nodes.values()].find((each) => each.type === type);
  if (!found) throw new Error(`No node ${type}`);
  return found.id;
}

/** The same canvas as if it had been imported again: every node but the ends has another id. */
function importedAnew(root: Value): Value {
  let text = write(root);
  for (const [id, { type }] of graphOf(root).nodes) {
    if (type !== "1" && type !== "2") text = text.replaceAll(`"${id}"`, `"9${id}"`);
  }
  return parse(text).value;
}

describe("two states of a canvas", () => {
  test.each(EXAMPLES)("$name is the same as itself, and as itself imported again", ({ text }) => {
    const root = parse(text).value;
    const again = parse(JSON.stringify(JSON.parse(text))).value;
    for (const other of [root, again]) {
      const { changes, edges } = compared(root, other);
      expect(changes).toEqual([]);
      expect(edges.size).toBe(0);
    }
  });

  test("nodes with new ids are known by kind and title", () => {
    const { changes, edges } = compared(base, importedAnew(base));
    expect(changes).toEqual([]);
    expect(edges.size).toBe(0);
  });

  test("a field that changed is told with both texts, a move as a move", () => {
    const id = nodeNamed(base, "15");
    const inner = [...graphOf(base).nodes.keys()].at(-1) ?? "";
    let next = setInNode(base, id, ["data", "nodeMeta", "title"], "Other");
    next = moveNodes(next, new Map([[nodeNamed(base, "2"), { position: { x: 1, y: 2 } }]]));
    const { changes, nodes } = compared(base, next);
    expect(inner).not.toBe("");
    expect(nodes.get(id)).toBe("changed");
    expect(nodes.get(nodeNamed(base, "2"))).toBe("moved");
    expect(changes.find((each) => each.id === id)?.fields).toEqual([
      {
        section: "node",
        names: ["title"],
        left: graphOf(base).nodes.get(id)?.title,
        right: "Other",
      },
    ]);
  });

  test("a node that was renamed changes nothing where others read it", () => {
    const id = nodeNamed(base, "1");
    const next = setInNode(base, id, ["data", "nodeMeta", "title"], "Begin");
    expect(compared(base, next).changes.map((each) => each.id)).toEqual([id]);
  });

  test("what was removed stays in sight with its lines, what was added is marked", () => {
    const id = nodeNamed(base, "15");
    const next = removeNodes(base, new Set([id]), true);
    const gone = compared(base, next);
    expect(gone.nodes.get(id)).toBe("removed");
    expect(graphOf(gone.root).nodes.has(id)).toBe(true);
    const lost = graphOf(base).edges.filter((each) => each.source === id || each.target === id);
    expect([...gone.edges].filter(([, state]) => state === "removed").map(([key]) => key)).toEqual(
      expect.arrayContaining(lost.map((each) => each.key)),
    );
    const came = compared(next, base);
    expect(came.nodes.get(id)).toBe("added");
    expect([...came.edges.values()]).toContain("added");
  });

  test("a loop that is gone is drawn with what was in it", () => {
    const old = parse(example("ex03")).value;
    const loop = [...graphOf(old).nodes.values()].find((each) => each.type === "21");
    if (!loop) throw new Error("no loop");
    const inner = [...graphOf(old).nodes.values()].filter((each) => each.scope === loop.id);
    const { root, nodes } = compared(old, removeNodes(old, new Set([loop.id]), true));
    expect(inner.length).toBeGreaterThan(0);
    for (const each of inner) {
      expect(nodes.get(each.id)).toBe("removed");
      expect(graphOf(root).nodes.get(each.id)?.scope).toBe(loop.id);
    }
  });

  test("a line that leads elsewhere is told at its source", () => {
    const edge = graphOf(base).edges[0];
    if (!edge) throw new Error("no line");
    const exit = nodeNamed(base, "2");
    let next = removeEdges(base, new Set([edge.key]));
    next = addEdge(next, edge.scope, { ...edge, target: exit, targetPort: "" });
    const { changes } = compared(base, next);
    const change = changes.find((each) => each.id === edge.source);
    expect(change?.state).toBe("connected");
    expect(change?.fields[0]?.section).toBe("connections");
  });
});
