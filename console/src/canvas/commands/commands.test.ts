// @vitest-environment node
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "../document/parse";
import { at, textOf, toJson } from "../document/read";
import { type Value, write } from "../document/tree";
import { graphOf } from "../model/graph";
import { outputsOf } from "../model/output";
import { referencesIn } from "../model/reference";
import { changed, changes } from "../testing/changes";
import { EXAMPLES, example } from "../testing/examples";
import { copied, pasted } from "./clipboard";
import { type History, type Moment, NO_HISTORY, pushed, redone, undone } from "./history";
import { merged } from "./merge";
import { addNode, moveNodes, newNode, removeNodes, setInNode } from "./nodes";
import { renameInput, renameOutput } from "./rename";

describe("undo", () => {
  test.each(EXAMPLES)("restores $name to the character after any steps", ({ text }) => {
    fc.assert(
      fc.property(changes, (steps) => {
        const start = parse(text).value;
        let history: History = NO_HISTORY;
        let now: Moment = { root: start, selection: new Set() };
        const states = [write(start)];
        for (const [index, each] of steps.entries()) {
          const after = { root: changed(now.root, each), selection: new Set([String(index)]) };
          const step = { label: "", field: "", before: now, after, at: index };
          if (after.root !== now.root) states.push(write(after.root));
          history = pushed(history, step);
          now = after;
        }
        const last = states.at(-1);
        for (const expected of states.slice(0, -1).reverse()) {
          const turn = undone(history);
          expect(turn && write(turn.moment.root)).toBe(expected);
          history = turn?.history ?? history;
        }
        expect(undone(history)).toBeUndefined();
        for (let turn = redone(history); turn; turn = redone(history)) {
          history = turn.history;
          now = turn.moment;
        }
        if (states.length > 1) expect(write(now.root)).toBe(last);
      }),
      { numRuns: process.env["CONSOLE_LONG"] ? Math.ceil(1000 / EXAMPLES.length) : 25 },
    );
  });

  test("takes quick steps in one field as one", () => {
    const root = parse("{}").value;
    const moments = ["{}", "[1]", "[2]", "[3]"].map((text) => ({
      root: text === "{}" ? root : parse(text).value,
      selection: new Set<string>(),
    }));
    const typed = [100, 700, 1600].reduce<History>((history, at, index) => {
      const [before, after] = [moments[index], moments[index + 1]];
      if (!before || !after) return history;
      return pushed(history, { label: "", field: "a", before, after, at });
    }, NO_HISTORY);
    expect(typed.past.map((step) => write(step.after.root))).toEqual(["[2]", "[3]"]);
  });
});

test.each(EXAMPLES)("moving a node of $name changes its digits alone", ({ text }) => {
  const root = parse(text).value;
  for (const node of graphOf(root).nodes.values()) {
    const moved = moveNodes(root, new Map([[node.id, { position: { x: 1.5, y: -20 } }]]));
    const back = moveNodes(moved, new Map([[node.id, { position: node }]]));
    expect(toJson(at(moved, [...node.path, "meta", "position"]) ?? root)).toEqual({
      x: 1.5,
      y: -20,
    });
    expect(write(back)).toBe(write(root));
  }
});

test("a chain closes behind a node that is taken out, unless told otherwise", () => {
  const root = parse(example("ex08")).value;
  const edges = (value: Value) =>
    graphOf(value).edges.map((each) => `${each.source}>${each.target}`);
  expect(edges(removeNodes(root, new Set(["107002"]), true))).toEqual([
    "100001>107001",
    "107001>900001",
  ]);
  expect(edges(removeNodes(root, new Set(["107002"]), false))).toEqual(["100001>107001"]);
  expect(removeNodes(root, new Set(["100001", "900001"]), true)).toBe(root);
});

describe("renaming", () => {
  test("an output takes every reference along, and nothing else", () => {
    for (const { text } of EXAMPLES) {
      const root = parse(text).value;
      const graph = graphOf(root);
      const reads = (value: Value, id: string, name: string) =>
        [...graphOf(value).nodes.values()].flatMap((node) =>
          referencesIn(node.value).filter(
            (each) => each.blockId === id && each.segments[0] === name,
          ),
        ).length;
      for (const node of graph.nodes.values()) {
        if (node.type === "21" || node.type === "28") continue;
        for (const { name } of outputsOf(node)) {
          const renamed = renameOutput(root, node.id, name, "other_name");
          expect(reads(renamed, node.id, "other_name")).toBe(reads(root, node.id, name));
          const isBatch = reads(renamed, node.id, name) > 0;
          if (!isBatch)
            expect(write(renameOutput(renamed, node.id, "other_name", name))).toBe(write(root));
        }
      }
    }
  });

  test("an input is renamed in the node's own texts, and a list inside its loop", () => {
    const model = parse(example("ex08")).value;
    const prompt = renameInput(model, "107001", "t", "topic");
    expect(write(prompt)).toContain("Tag this: {{topic}}");
    const loop = renameInput(parse(example("ex03")).value, "102001", "bit", "piece");
    const inner = graphOf(loop).nodes.get("102002");
    const read = inner && referencesIn(inner.value).map((each) => each.segments.join("."));
    expect(read).toEqual(["all", "piece"]);
  });
});

test("copies have ids and titles of their own and refer to each other", () => {
  const root = parse(example("ex03")).value;
  const text = copied(graphOf(root), new Set(["102001"]));
  const made = pasted(root, text, "", { x: 0, y: 0 });
  if (!made) throw new Error("nothing pasted");
  const graph = graphOf(made.root);
  const titles = [...graph.nodes.values()].filter((each) => !each.scope).map((each) => each.title);
  expect(new Set(titles).size).toBe(titles.length);
  const copy = graph.nodes.get(made.ids[0] ?? "");
  const inside = [...graph.nodes.values()].filter((each) => each.scope === copy?.id);
  expect(inside).toHaveLength(4);
  const known = new Set(["100001", copy?.id, ...inside.map((each) => each.id)]);
  for (const node of inside)
    for (const each of referencesIn(node.value)) expect(known).toContain(each.blockId);
  expect(pasted(root, "no nodes", "", { x: 0, y: 0 })).toBeUndefined();
  expect(pasted(root, '{"nodes": []}', "", { x: 0, y: 0 })).toBeUndefined();
});

describe("two editors", () => {
  const text = example("ex03");

  test("keep both what each changed elsewhere", () => {
    fc.assert(
      fc.property(changes, (steps) => {
        const base = parse(text).value;
        const mine = moveNodes(base, new Map([["102001", { position: { x: 7, y: 7 } }]]));
        const theirs = steps.filter((each) => each.kind === 1).reduce(changed, base);
        const { root, clashes } = merged(base, mine, theirs);
        expect(clashes).toEqual([]);
        expect(graphOf(root).nodes.get("102001")?.x).toBe(7);
        for (const [id, node] of graphOf(theirs).nodes)
          expect(graphOf(root).nodes.get(id)?.title).toBe(node.title);
        expect(write(merged(base, base, theirs).root)).toBe(write(theirs));
        expect(write(merged(base, theirs, base).root)).toBe(write(theirs));
      }),
      { numRuns: 50 },
    );
  });

  test("are asked about what both changed", () => {
    const base = parse(text).value;
    const title = (value: string) =>
      setInNode(base, "102002", ["data", "nodeMeta", "title"], value);
    const gone = removeNodes(base, new Set(["102005"]), false);
    const both = merged(base, title("A"), title("B"), "theirs");
    expect(both.clashes.map((each) => each.nodeId)).toEqual(["102002"]);
    expect(graphOf(both.root).nodes.get("102002")?.title).toBe("B");
    expect(graphOf(merged(base, title("A"), title("B")).root).nodes.get("102002")?.title).toBe("A");
    const moved = setInNode(base, "102005", ["data", "nodeMeta", "title"], "Moved");
    expect(merged(base, gone, moved).clashes.map((each) => each.nodeId)).toContain("102005");
    const added = addNode(
      gone,
      "",
      newNode({ id: "500000", type: "15", title: "N", at: { x: 0, y: 0 }, data: {} }),
    );
    const { root, clashes } = merged(base, added, title("B"));
    expect(clashes).toEqual([]);
    expect(graphOf(root).nodes.has("500000")).toBe(true);
    expect(graphOf(root).nodes.has("102005")).toBe(false);
    expect(
      textOf(
        at(root, [...(graphOf(root).nodes.get("102002")?.path ?? []), "data", "nodeMeta", "title"]),
      ),
    ).toBe("B");
  });
});
