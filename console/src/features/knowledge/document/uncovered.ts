import { boxesOf, type Placed } from "./boxes";
import type { Area } from "./find";
import type { PageWord, Slice } from "./queries";

const FAILED = 9;
/** Words nearer than this part of the page's width are one stretch of a line. */
const GAP = 0.03;

/** Slices that searches can find. */
export function foundBySearches(slices: readonly Slice[]): readonly Slice[] {
  return slices.filter((slice) => slice.enabled && slice.status !== FAILED);
}

/** The parts of a page's lines that stand in none of the slices: searches know nothing of them. */
export function uncoveredOn(
  page: number,
  words: readonly PageWord[],
  slices: readonly Placed[],
): readonly Area[] {
  const boxes = slices.flatMap((slice) => boxesOf(slice).filter((box) => box.page === page));
  const areas: Area[] = [];
  for (const word of words) {
    const [left = 0, top = 0, right = 0, bottom = 0] = word.box;
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const isCovered = boxes.some(
      (box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom,
    );
    if (isCovered) continue;
    const last = areas.at(-1);
    const goesOn = last && last[1] <= y && y <= last[3] && left >= last[0] && left - last[2] < GAP;
    if (goesOn)
      areas[areas.length - 1] = [
        last[0],
        Math.min(last[1], top),
        Math.max(last[2], right),
        Math.max(last[3], bottom),
      ];
    else areas.push([left, top, right, bottom]);
  }
  return areas;
}
