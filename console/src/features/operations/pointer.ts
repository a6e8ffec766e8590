import type { PointerEvent } from "react";

/** Which of so many points is under the pointer. */
export function indexAt(event: PointerEvent<HTMLElement>, count: number): number {
  const box = event.currentTarget.getBoundingClientRect();
  const share = (event.clientX - box.left) / Math.max(box.width, 1);
  return Math.min(count - 1, Math.max(0, Math.round(share * (count - 1))));
}
