import type { Area } from "./find";

/** A slice, or one to be: where it stands, block by block. */
export type Placed = { id: string; boxes: readonly (readonly number[])[] };

/** A place on a page, in parts of its sides. */
type Box = { page: number; left: number; top: number; right: number; bottom: number };

/** Where a slice stands, block by block. */
export function boxesOf(slice: Placed | undefined): Box[] {
  return (slice?.boxes ?? []).map(([page = 0, left = 0, top = 0, right = 0, bottom = 0]) => ({
    page,
    left,
    top,
    right,
    bottom,
  }));
}

/** The slices at a place; those that share a block take turns, so the next one comes first. */
export function sliceAt(
  slices: readonly Placed[],
  page: number,
  [x, y]: readonly [number, number],
  chosenId: string | undefined,
): Placed | undefined {
  const found = slices.filter((slice) =>
    boxesOf(slice).some(
      (box) =>
        box.page === page && box.left <= x && x <= box.right && box.top <= y && y <= box.bottom,
    ),
  );
  return found[found.findIndex((slice) => slice.id === chosenId) + 1] ?? found[0];
}

/** A block of a page that is of slices. */
type Bound = { area: Area; isOdd: boolean; starting: number[] };

/** The blocks of a page with the numbers of the slices that begin in them. */
export function boundsOn(page: number, slices: readonly Placed[]): readonly Bound[] {
  const bounds = new Map<string, Bound>();
  for (const [index, slice] of slices.entries()) {
    const boxes = boxesOf(slice).filter((box) => box.page === page);
    for (const [at, { left, top, right, bottom }] of boxes.entries()) {
      const area = [left, top, right, bottom] as const;
      const known = bounds.get(area.join(" ")) ?? { area, isOdd: index % 2 > 0, starting: [] };
      if (at === 0) known.starting.push(index + 1);
      bounds.set(area.join(" "), known);
    }
  }
  return [...bounds.values()];
}
