import { type PointerEvent, useEffect, useMemo, useRef, useState } from "react";

/** So far a press may wander and still be a click. */
const STILL_PX = 6;

type Edge = { number: number; left: number };
type Carried = { from: number; x: number; edge: Edge | undefined };

/** Carries a column to another place; handlers stay the same all the time. */
export function useCarriedColumn(
  columns: readonly { key: string }[],
  edgeNear: (clientX: number) => Edge,
  onMove: (key: string, to: number) => void,
) {
  const latest = useRef({ columns, edgeNear, onMove });
  useEffect(() => {
    latest.current = { columns, edgeNear, onMove };
  });
  const carried = useRef<Carried>(undefined);
  const wasCarried = useRef(false);
  const [left, setLeft] = useState<number>();
  const handlers = useMemo(() => {
    function drop(): void {
      carried.current = undefined;
      setLeft(undefined);
    }
    return {
      take(from: number, { button, clientX: x }: PointerEvent): void {
        wasCarried.current = false;
        if (button === 0) carried.current = { from, x, edge: undefined };
      },
      carry(event: PointerEvent): void {
        const now = carried.current;
        if (!now || (!now.edge && Math.abs(event.clientX - now.x) < STILL_PX)) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        now.edge = latest.current.edgeNear(event.clientX);
        setLeft(now.edge.left);
      },
      put(): void {
        const { from = 0, edge } = carried.current ?? {};
        drop();
        if (!edge) return;
        wasCarried.current = true;
        const to = edge.number > from ? edge.number - 1 : edge.number;
        const { key = "" } = latest.current.columns[from] ?? {};
        if (to !== from) latest.current.onMove(key, to);
      },
      drop,
      /** Whether a click is one, and not the end of carrying. */
      isOver: () => !wasCarried.current,
    };
  }, []);
  return { left, handlers };
}
