// @vitest-environment node
import fc from "fast-check";
import { expect, test } from "vitest";
import { snapped } from "./snap";

const box = (x: number, y: number, width = 360, height = 100) => ({ x, y, width, height });

test("a box comes in line with the edge or the centre that is nearest", () => {
  const others = [box(0, 0), box(500, 300, 360, 60)];
  expect(snapped(box(3, 400), others, 5)).toEqual({
    by: { x: -3, y: 0 },
    guides: [{ axis: "x", at: 0, from: 0, to: 500 }],
  });
  const centred = snapped(box(1000, 281), others, 5);
  expect(centred.by).toEqual({ x: 0, y: -1 });
  expect(centred.guides).toEqual([{ axis: "y", at: 330, from: 500, to: 1360 }]);
});

test("nothing within reach: the box stays, and there is no line", () => {
  expect(snapped(box(100, 200), [box(0, 0)], 5)).toEqual({ by: { x: 0, y: 0 }, guides: [] });
});

test("a box never goes further than the reach, and stays once it is in line", () => {
  const place = fc.integer({ min: -200, max: 200 });
  const size = fc.integer({ min: 1, max: 99 }).map((each) => each * 2);
  const boxes = fc.record({ x: place, y: place, width: size, height: size });
  fc.assert(
    fc.property(boxes, fc.array(boxes, { maxLength: 8 }), (own, others) => {
      const { by } = snapped(own, others, 5);
      expect(Math.max(Math.abs(by.x), Math.abs(by.y))).toBeLessThanOrEqual(5);
      const there = { ...own, x: own.x + by.x, y: own.y + by.y };
      expect(snapped(there, others, 0).by).toEqual({ x: 0, y: 0 });
    }),
  );
});
