import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";

type Options = {
  count: number;
  box: RefObject<HTMLDivElement | null>;
  scrollTo: (index: number) => void;
};

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 };

/** One row at a time is in the order of Tab; arrows, J and K walk, Home and End jump. */
export function useRowKeys({ count, box, scrollTo }: Options) {
  const [active, setActive] = useState(0);
  const wanted = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
  });
  function go(index: number): void {
    const target = Math.max(0, Math.min(count - 1, index));
    wanted.current = target;
    setActive(target);
    scrollTo(target);
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { target, key } = event;
    if (event.metaKey || event.ctrlKey || event.altKey || count === 0) return;
    if (!(target instanceof HTMLElement) || target.getAttribute("role") !== "row") return;
    const step = STEPS[key];
    if (step !== undefined) go(active + step);
    else if (key === "Home") go(0);
    else if (key === "End") go(count - 1);
    else return;
    event.preventDefault();
  }
  return { active: Math.min(active, Math.max(0, count - 1)), setActive, onKeyDown };
}
