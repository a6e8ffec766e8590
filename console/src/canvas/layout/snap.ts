import type { Point } from "../model/graph";
import type { Box } from "../model/place";

/** A line on which a box meets others, from one end of them to the other. */
export type Guide = {
  readonly axis: "x" | "y";
  readonly at: number;
  readonly from: number;
  readonly to: number;
};

export type Snap = { readonly by: Point; readonly guides: readonly Guide[] };

type Axis = { readonly start: "x" | "y"; readonly size: "width" | "height" };

const ACROSS: Axis = { start: "x", size: "width" };
const DOWN: Axis = { start: "y", size: "height" };
/** Edges meet edges of their side, centres meet centres; of equal ones the first counts. */
const SHARES = [0, 0.5, 1] as const;

/** How far a box is to go so that it stands in line with a neighbour, and along which lines. */
export function snapped(box: Box, others: readonly Box[], reach: number): Snap {
  const x = nearest(box, others, ACROSS, reach);
  const y = nearest(box, others, DOWN, reach);
  const by = { x: x?.by ?? 0, y: y?.by ?? 0 };
  const there = { ...box, x: box.x + by.x, y: box.y + by.y };
  const guides = [
    x && guide(there, others, [ACROSS, DOWN], x.share),
    y && guide(there, others, [DOWN, ACROSS], y.share),
  ];
  return { by, guides: guides.filter((each) => each !== undefined) };
}

function lineOf(box: Box, { start, size }: Axis, share: number): number {
  return box[start] + box[size] * share;
}

function nearest(box: Box, others: readonly Box[], axis: Axis, reach: number) {
  let best: { readonly by: number; readonly share: number } | undefined;
  for (const share of SHARES) {
    const own = lineOf(box, axis, share);
    for (const other of others) {
      const by = lineOf(other, axis, share) - own;
      if (Math.abs(by) <= reach && Math.abs(by) < Math.abs(best?.by ?? Number.POSITIVE_INFINITY)) {
        best = { by, share };
      }
    }
  }
  return best;
}

function guide(
  box: Box,
  others: readonly Box[],
  [axis, along]: readonly [Axis, Axis],
  share: number,
): Guide {
  const at = lineOf(box, axis, share);
  const met = [box, ...others.filter((each) => lineOf(each, axis, share) === at)];
  return {
    axis: axis.start,
    at,
    from: Math.min(...met.map((each) => lineOf(each, along, 0))),
    to: Math.max(...met.map((each) => lineOf(each, along, 1))),
  };
}
