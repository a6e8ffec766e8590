import { type RefObject, useCallback, useLayoutEffect, useState } from "react";

export const COLUMN_PX = 152;
export const NUMBER_PX = 56;
/** What somebody may make of a column. */
export const LEAST_PX = 64;
export const MOST_PX = 1200;
/** Columns on either side that are there before they are seen. */
const BESIDE = 1;

type Sight = { from: number; to: number };
/** Of columns that somebody sized; the others share the room that is left. */
type Widths = readonly (number | undefined)[];

/** Which columns of a grid can be seen, and where they stand. */
export function useColumnsInSight(box: RefObject<HTMLDivElement | null>, widths: Widths) {
  const [sight, setSight] = useState<Sight>({ from: 0, to: widths.length - 1 });
  useLayoutEffect(() => {
    const grid = box.current;
    if (!grid) return;
    const read = () => {
      const next = sightIn(grid, widths);
      setSight((old) => (old.from === next.from && old.to === next.to ? old : next));
    };
    const observer = new ResizeObserver(read);
    observer.observe(grid);
    grid.addEventListener("scroll", read, { passive: true });
    return () => {
      observer.disconnect();
      grid.removeEventListener("scroll", read);
    };
  }, [box, widths]);
  /** Scrolls so far that all of a column can be seen. */
  const show = useCallback(
    (column: number) => {
      const grid = box.current;
      if (!grid) return;
      const room = grid.clientWidth - NUMBER_PX;
      const [start = 0, end = 0] = edgesOf(widths, room).slice(column, column + 2);
      grid.scrollLeft = Math.max(end - room, Math.min(start, grid.scrollLeft));
    },
    [box, widths],
  );
  /** The edge between columns that is nearest to a place in the window, by its number. */
  const edgeNear = useCallback(
    (clientX: number) => {
      const grid = box.current;
      if (!grid) return { number: 0, left: 0 };
      const at = clientX - grid.getBoundingClientRect().left + grid.scrollLeft - NUMBER_PX;
      const edges = edgesOf(widths, grid.clientWidth - NUMBER_PX);
      const distances = edges.map((edge) => Math.abs(edge - at));
      const number = distances.indexOf(Math.min(...distances));
      return { number, left: NUMBER_PX + (edges[number] ?? 0) };
    },
    [box, widths],
  );
  return { ...sight, show, edgeNear };
}

/** Where each column begins, and where the last one ends. */
export function edgesOf(widths: Widths, room: number): readonly number[] {
  const free = widths.filter((width) => width === undefined).length;
  const taken = widths.reduce<number>((sum, width) => sum + (width ?? 0), 0);
  const share = Math.max(COLUMN_PX, (room - taken) / Math.max(1, free));
  const edges = [0];
  for (const width of widths) edges.push((edges.at(-1) ?? 0) + (width ?? share));
  return edges;
}

function sightIn(grid: HTMLElement, widths: Widths): Sight {
  const room = grid.clientWidth - NUMBER_PX;
  const edges = edgesOf(widths, room);
  const end = grid.scrollLeft + room;
  const first = edges.findLastIndex((edge) => edge <= grid.scrollLeft);
  const last = edges.findLastIndex((edge) => edge <= end);
  return {
    from: Math.max(0, first - BESIDE),
    to: Math.min(widths.length - 1, last + BESIDE),
  };
}
