// @vitest-environment node
import fc from "fast-check";
import { expect, test } from "vitest";
import { addNode, newNode } from "../commands/nodes";
import { parse } from "../document/parse";
import type { Value } from "../document/tree";
import { ancestors, type Graph, graphOf, type Point } from "../model/graph";
import { isComposite, LLM, LOOP } from "../model/kind";
import { type Box, bounds, GRID, placementOf } from "../model/place";
import { EXAMPLES, example } from "../testing/examples";
import { freeShift } from "./free-place";

const ID = "777001";

type Made = { type: string; scope: string; at: Point };

function made(root: Value, { type, scope, at }: Made): Graph {
  return graphOf(addNode(root, scope, newNode({ id: ID, type, title: "New", at, data: {} })));
}

/** The new node with its body, and what it must not cover. */
function boxes(graph: Graph): { own: Box; others: Box[] } {
  const { cards, frames } = placementOf(graph);
  const around = new Set([ID, ...ancestors(graph, ID)]);
  const own = [cards.get(ID)?.box, frames.get(ID)?.box].flatMap((box) => box ?? []);
  const others = [
    ...[...cards].flatMap(([id, { box }]) => (id === ID ? [] : [box])),
    ...[...frames].flatMap(([id, { box }]) => (around.has(id) ? [] : [box])),
  ];
  return { own: bounds(own), others };
}

function covers(graph: Graph): boolean {
  const { own, others } = boxes(graph);
  return others.some(
    (each) =>
      own.x < each.x + each.width &&
      each.x < own.x + own.width &&
      own.y < each.y + each.height &&
      each.y < own.y + own.height,
  );
}

const placed = fc.constantFrom(...EXAMPLES).chain(({ text }) => {
  const root = parse(text).value;
  const graph = graphOf(root);
  const scopes = [...graph.nodes.values()].filter((node) => isComposite(node.type));
  const coordinate = fc.integer({ min: -200, max: 400 }).map((steps) => steps * GRID);
  return fc.record({
    root: fc.constant(root),
    one: fc.oneof(
      fc.record({
        type: fc.constantFrom(LLM, LOOP),
        scope: fc.constant(""),
        at: fc.record({ x: coordinate, y: coordinate }),
      }),
      fc.record({
        type: fc.constant(LLM),
        scope: fc.constantFrom("", ...scopes.map((node) => node.id)),
        at: fc.record({ x: coordinate, y: coordinate }),
      }),
    ),
  });
});

test("a new node covers no other, stays on the grid, and goes nowhere without need", () => {
  fc.assert(
    fc.property(placed, ({ root, one }) => {
      const before = made(root, one);
      const { x, y } = freeShift(before, ID);
      expect([x % GRID === 0, y % GRID === 0]).toEqual([true, true]);
      if (!covers(before)) expect({ x, y }).toEqual({ x: 0, y: 0 });
      const at = { x: one.at.x + x, y: one.at.y + y };
      expect(covers(made(root, { ...one, at }))).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test("it goes the least way straight out, with room between", () => {
  const root = parse(example("ex02")).value;
  const graph = graphOf(root);
  const { cards } = placementOf(graph);
  const other = [...graph.nodes.values()][1];
  const box = other && cards.get(other.id)?.box;
  if (!other || !box) throw new Error("The example has a second node");
  const from = (at: Point) => freeShift(made(root, { type: LLM, scope: "", at }), ID);
  const below = from({ x: other.x, y: box.y + box.height - GRID });
  expect(below).toEqual({ x: 0, y: Math.ceil((GRID + 40) / GRID) * GRID });
  const above = from({ x: other.x, y: other.y - GRID });
  expect(above.y).toBeLessThan(0);
});
