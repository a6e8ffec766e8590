// @vitest-environment node
import fc from "fast-check";
import { expect, test } from "vitest";
import { moveNodes } from "../commands/nodes";
import { parse } from "../document/parse";
import { graphOf } from "../model/graph";
import { placementOf } from "../model/place";
import { EXAMPLES } from "../testing/examples";
import { canvasLayout } from "./canvas-layout";
import { layered } from "./layered";

const graphs = fc.integer({ min: 1, max: 60 }).chain((count) =>
  fc.record({
    nodes: fc.array(
      fc.record({ width: fc.constant(360), height: fc.integer({ min: 44, max: 400 }) }),
      {
        minLength: count,
        maxLength: count,
      },
    ),
    edges: fc.array(
      fc.record({
        source: fc.nat(count - 1),
        target: fc.nat(count - 1),
        order: fc.nat(4),
        leaves: fc.integer({ min: 22, max: 44 }),
      }),
      { maxLength: count * 2 },
    ),
  }),
);

test("nodes never overlap, edges point to the right, and the same comes out again", () => {
  fc.assert(
    fc.property(graphs, ({ nodes, edges }) => {
      const given = nodes.map((each, index) => ({ ...each, id: String(index) }));
      const links = edges
        .filter((each) => each.source < each.target)
        .map((each) => ({ ...each, source: String(each.source), target: String(each.target) }));
      const places = layered(given, links);
      const boxes = given.map((each) => ({
        ...each,
        ...(places.get(each.id) ?? { x: NaN, y: NaN }),
      }));
      for (const [index, one] of boxes.entries()) {
        expect(Number.isFinite(one.x + one.y)).toBe(true);
        for (const other of boxes.slice(index + 1)) {
          const isApart =
            one.x + one.width <= other.x ||
            other.x + other.width <= one.x ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y;
          expect(isApart).toBe(true);
        }
      }
      for (const { source, target } of links)
        expect(places.get(source)?.x ?? 0).toBeLessThan(places.get(target)?.x ?? 0);
      expect([...layered(given, links)]).toEqual([...places]);
    }),
    { numRuns: 200 },
  );
});

test("circles do not hang it, and a chain is a straight line", () => {
  const nodes = ["a", "b", "c", "d"].map((id, at) => ({ id, width: 360, height: 60 + at * 80 }));
  const links = ["ab", "bc", "cd", "da", "cc"].map(([source = "", target = ""]) => ({
    source,
    target,
    order: 0,
    leaves: 22,
  }));
  const places = [...layered(nodes, links).values()];
  expect(new Set(places.map((each) => each.y)).size).toBe(1);
});

test("a line that skips a step passes its node by", () => {
  const nodes = ["a", "b", "c"].map((id) => ({ id, width: 360, height: 120 }));
  const links = [
    { source: "a", target: "c", order: 0, leaves: 55 },
    { source: "a", target: "b", order: 1, leaves: 79 },
    { source: "b", target: "c", order: 0, leaves: 22 },
  ];
  const places = layered(nodes, links);
  const [a = NaN, b = NaN, c = NaN] = ["a", "b", "c"].map((id) => places.get(id)?.y);
  expect(b).toBeGreaterThan(Math.max(a + 55, c + 22));
});

test.each(EXAMPLES)("$name is laid out without overlaps, and stays so", ({ text }) => {
  const laid = (root: ReturnType<typeof parse>["value"]) =>
    moveNodes(root, canvasLayout(graphOf(root), placementOf(graphOf(root))));
  const once = laid(parse(text).value);
  expect(laid(once)).toBe(once);
  const { cards, frames } = placementOf(graphOf(once));
  const boxes = [...cards.values()].map((each) => ({ ...each.box, scope: each.node.scope }));
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1).filter((each) => each.scope === one.scope))
      expect(
        one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y,
      ).toBe(true);
  for (const frame of frames.values()) {
    for (const one of boxes.filter((each) => each.scope !== frame.id))
      expect(
        one.x + one.width <= frame.box.x ||
          frame.box.x + frame.box.width <= one.x ||
          one.y + one.height <= frame.box.y ||
          frame.box.y + frame.box.height <= one.y,
      ).toBe(true);
  }
});
