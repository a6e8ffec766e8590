import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from "react";
import { classes } from "../classes";
import styles from "./histogram.module.css";

type Bar = {
  key: string;
  /** Says what it is of, and how many there are. */
  label: string;
  count: number;
  /** Of those, how many are not as they should be. */
  bad: number;
};

type Props = {
  label: string;
  bars: readonly Bar[];
  /** Said below the bars: one word for each, or the two ends of the axis. */
  ticks: readonly string[];
  /** Bars that are chosen now, the first and the last. */
  chosen?: readonly [number, number] | undefined;
  /** The picture of a screen rather than a line above a list. */
  isTall?: boolean;
  /** Leaves only what lies between two bars, both included. */
  onNarrow: (first: number, last: number) => void;
};

const LEAST_PERCENT = 4;

/** How many there are along an axis; dragging over it, or arrows and Enter, narrow to a part. */
export function Histogram({ label, bars, ticks, chosen, isTall, onNarrow }: Props) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const anchor = useRef<number>(undefined);
  const [range, setRange] = useState<readonly [number, number]>();
  const [at, setAt] = useState(bars.length - 1);
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  const active = Math.min(Math.max(at, 0), bars.length - 1);
  const [first, last] = range ?? chosen ?? [-1, -1];
  function under(event: PointerEvent): number {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return 0;
    const share = (event.clientX - box.left) / Math.max(box.width, 1);
    return Math.min(bars.length - 1, Math.max(0, Math.floor(share * bars.length)));
  }
  function choose(other: number): void {
    const start = anchor.current ?? other;
    setAt(other);
    setRange([Math.min(start, other), Math.max(start, other)]);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = new Map([
      ["ArrowLeft", active - 1],
      ["ArrowRight", active + 1],
      ["Home", 0],
      ["End", bars.length - 1],
    ]).get(event.key);
    if (step !== undefined) {
      anchor.current = event.shiftKey ? (anchor.current ?? active) : undefined;
      const next = Math.min(bars.length - 1, Math.max(0, step));
      if (event.shiftKey) choose(next);
      else {
        setAt(next);
        setRange(undefined);
      }
    } else if (event.key === "Enter") {
      onNarrow(range ? first : active, range ? last : active);
      setRange(undefined);
    } else return;
    event.preventDefault();
  }
  function end(isDone: boolean): void {
    if (anchor.current !== undefined && range && isDone) onNarrow(first, last);
    anchor.current = undefined;
    setRange(undefined);
  }
  return (
    <div className={styles.histogram}>
      <div
        ref={frame}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-multiselectable
        aria-orientation="horizontal"
        aria-activedescendant={`${id}-${active}`}
        className={classes(styles.bars, isTall && styles.tall)}
        onKeyDown={onKeyDown}
        onBlur={() => end(false)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          anchor.current = under(event);
          choose(anchor.current);
        }}
        onPointerMove={(event) => anchor.current !== undefined && choose(under(event))}
        onPointerUp={() => end(true)}
        onPointerCancel={() => end(false)}
      >
        {bars.map((bar, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the bar
          <div
            key={bar.key}
            id={`${id}-${index}`}
            role="option"
            aria-label={bar.label}
            aria-selected={index >= first && index <= last}
            title={bar.label}
            className={classes(styles.slot, index === active && styles.active)}
          >
            {bar.count > 0 && (
              <div className={styles.bar} style={{ height: `${heightOf(bar.count, most)}%` }}>
                {bar.bad > 0 && (
                  <div
                    className={styles.bad}
                    style={{ height: `max(2px, ${(bar.bad / bar.count) * 100}%)` }}
                  />
                )}
              </div>
            )}
          </div>
        ))}
      </div>
      <div
        aria-hidden="true"
        className={classes(styles.axis, ticks.length === bars.length && styles.each)}
      >
        {ticks.map((tick, index) => (
          <span key={bars[index]?.key ?? tick}>{tick}</span>
        ))}
      </div>
    </div>
  );
}

/** One among thousands is still seen. */
function heightOf(count: number, most: number): number {
  return Math.max(LEAST_PERCENT, (count / most) * 100);
}
