import { type RefObject, useCallback, useLayoutEffect, useState } from "react";

export const COLUMN_PX = 152;
export const NUMBER_PX = 56;
/** Columns on either side that are there before they are seen. */
const BESIDE = 1;

type Sight = { from: number; to: number };

/** Which columns of a grid can be seen; all are equally wide. */
export function useColumnsInSight(box: RefObject<HTMLDivElement | null>, count: number) {
  const [sight, setSight] = useState<Sight>({ from: 0, to: count - 1 });
  useLayoutEffect(() => {
    const grid = box.current;
    if (!grid) return;
    const read = () => {
      const next = sightIn(grid, count);
      setSight((old) => (old.from === next.from && old.to === next.to ? old : next));
    };
    const observer = new ResizeObserver(read);
    observer.observe(grid);
    grid.addEventListener("scroll", read, { passive: true });
    return () => {
      observer.disconnect();
      grid.removeEventListener("scroll", read);
    };
  }, [box, count]);
  /** Scrolls so far that all of a column can be seen. */
  const show = useCallback(
    (column: number) => {
      const grid = box.current;
      if (!grid) return;
      const width = columnPx(grid, count);
      const room = grid.clientWidth - NUMBER_PX;
      const least = (column + 1) * width - room;
      grid.scrollLeft = Math.max(least, Math.min(column * width, grid.scrollLeft));
    },
    [box, count],
  );
  return { ...sight, show };
}

function columnPx(grid: HTMLElement, count: number): number {
  return Math.max(COLUMN_PX, (grid.clientWidth - NUMBER_PX) / count);
}

function sightIn(grid: HTMLElement, count: number): Sight {
  const width = columnPx(grid, count);
  const end = grid.scrollLeft + grid.clientWidth - NUMBER_PX;
  return {
    from: Math.max(0, Math.floor(grid.scrollLeft / width) - BESIDE),
    to: Math.min(count - 1, Math.floor(end / width) + BESIDE),
  };
}
