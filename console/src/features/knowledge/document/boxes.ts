import type { Slice } from "./queries";

/** A place on a page, in parts of its sides. */
type Box = { page: number; left: number; top: number; right: number; bottom: number };

/** Where a slice stands, block by block. */
export function boxesOf(slice: Slice | undefined): Box[] {
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
  slices: readonly Slice[],
  page: number,
  [x, y]: readonly [number, number],
  chosenId: string | undefined,
): Slice | undefined {
  const found = slices.filter((slice) =>
    boxesOf(slice).some(
      (box) =>
        box.page === page && box.left <= x && x <= box.right && box.top <= y && y <= box.bottom,
    ),
  );
  return found[found.findIndex((slice) => slice.id === chosenId) + 1] ?? found[0];
}
