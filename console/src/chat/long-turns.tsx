import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import styles from "./chat.module.css";
import type { Turn } from "./turn";

/** A turn that somebody looks at, and how far below the upper edge it begins. */
export type Anchor = { key: string; top: number };

type Props = {
  turns: readonly Turn[];
  render: (turn: Turn) => ReactNode;
  /** What scrolls. */
  frame: RefObject<HTMLDivElement | null>;
  /** Stays where it is when older turns come before it; nothing for who is at the end. */
  anchor: RefObject<Anchor | undefined>;
  /** Stands before the first turn. */
  before: ReactNode;
  onGrow: () => void;
};

/** How high a turn is taken to be until it was drawn. */
const TURN_PX = 220;
const GAP_PX = 24;
const EDGE_PX = 16;
const BEFORE_PX = 48;

/**
 * Turns of a long conversation, of which those in sight and a window's height around them are
 * there. The chat page is too small for a library that does this.
 */
export function LongTurns({ turns, render, frame, anchor, before, onGrow }: Props) {
  const { heights, measure, version } = useHeights(frame);
  const edge = before ? BEFORE_PX : EDGE_PX;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says that heights changed
  const { tops, total } = useMemo(() => {
    let next = edge;
    const found = turns.map(({ key }) => {
      const top = next;
      next += (heights.get(key) ?? TURN_PX) + GAP_PX;
      return top;
    });
    return { tops: found, total: next - GAP_PX + EDGE_PX };
  }, [turns, edge, heights, version]);
  const first = turns[0]?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only turns before the first move the rest
  useLayoutEffect(() => {
    const held = anchor.current;
    const top = tops[turns.findIndex(({ key }) => key === held?.key)];
    if (held && top !== undefined && frame.current) frame.current.scrollTop = top - held.top;
  }, [first]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is measured moves the end
  useLayoutEffect(onGrow, [total]);
  // Behind what moves the end, or turns at the beginning would be drawn first for nobody.
  const view = useView(frame);
  return (
    <div className={styles.long} style={{ height: total }}>
      {before && <div className={styles.before}>{before}</div>}
      {turns.map((turn, index) => {
        const top = tops[index] ?? 0;
        const end = top + (heights.get(turn.key) ?? TURN_PX);
        if (end < view.top - view.height || top > view.top + 2 * view.height) return null;
        return (
          <div
            key={turn.key}
            ref={measure}
            data-key={turn.key}
            className={styles.place}
            style={{ transform: `translateY(${top}px)` }}
          >
            {render(turn)}
          </div>
        );
      })}
    </div>
  );
}

/** How high each turn is that was drawn; what grows above the upper edge moves nothing below it. */
function useHeights(frame: RefObject<HTMLDivElement | null>) {
  const heights = useRef(new Map<string, number>()).current;
  const [version, redraw] = useReducer((count: number) => count + 1, 0);
  const observer = useMemo(
    () =>
      new ResizeObserver((entries) => {
        const box = frame.current;
        const edge = box?.getBoundingClientRect().top ?? 0;
        let shift = 0;
        for (const { target } of entries) {
          if (!(target instanceof HTMLElement) || !target.isConnected) continue;
          const key = target.dataset["key"] ?? "";
          const before = heights.get(key);
          const now = target.offsetHeight;
          heights.set(key, now);
          // A turn that grows below the edge, as the one being written does, moves nobody.
          const { top, bottom } = target.getBoundingClientRect();
          if (before === undefined ? top < edge : bottom <= edge)
            shift += now - (before ?? TURN_PX);
        }
        flushSync(redraw);
        if (box && shift !== 0) box.scrollTop += shift;
      }),
    [frame, heights],
  );
  useEffect(() => () => observer.disconnect(), [observer]);
  const measure = useCallback(
    (place: HTMLElement | null) => {
      if (!place) return;
      observer.observe(place);
      return () => observer.unobserve(place);
    },
    [observer],
  );
  return { heights, measure, version };
}

/** What of the turns can be seen. */
function useView(frame: RefObject<HTMLDivElement | null>) {
  const [view, setView] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const box = frame.current;
    if (!box) return;
    const read = () => setView({ top: box.scrollTop, height: box.clientHeight });
    const observer = new ResizeObserver(read);
    observer.observe(box);
    box.addEventListener("scroll", read, { passive: true });
    read();
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", read);
    };
  }, [frame]);
  return view;
}
