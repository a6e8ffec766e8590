import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { classes } from "../classes";
import styles from "./resizer.module.css";

type Props = {
  /** What becomes larger or smaller by it. */
  label: string;
  value: number;
  min: number;
  max: number;
  /** How far an arrow key goes. */
  step?: number;
  /** What one pixel of the pointer is worth; 1 where values are pixels. */
  perPixel?: () => number;
  /** Where a drag begins if that is not known before. */
  startAt?: () => number;
  /** Keys have another way to it. */
  isForPointers?: boolean;
  /** The panel it belongs to lies after it, or below. */
  isReversed?: boolean;
  orientation?: "vertical" | "horizontal";
  onChange: (value: number) => void;
  onReset: () => void;
};

/** The line between two panels: dragged, moved by arrow keys, put back by a double click. */
export function Resizer(props: Props) {
  const { label, value, min, max, step = 16, orientation = "vertical", onChange, onReset } = props;
  const { startAt, isForPointers = false } = props;
  const start = useRef<{ at: number; value: number }>(undefined);
  const sign = props.isReversed ? -1 : 1;
  const clipped = (next: number) => Math.min(max, Math.max(min, next));
  const along = (event: PointerEvent) =>
    orientation === "vertical" ? event.clientX : event.clientY;
  function onKeyDown(event: KeyboardEvent): void {
    const [less, more] =
      orientation === "vertical" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    const far = event.shiftKey ? step * 4 : step;
    const next = new Map([
      [less, value - sign * far],
      [more, value + sign * far],
      ["Home", min],
      ["End", max],
    ]).get(event.key);
    if (event.key === "Enter") onReset();
    else if (next !== undefined) onChange(clipped(next));
    else return;
    event.preventDefault();
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule that is moved is a separator with a value
    <div
      role="separator"
      tabIndex={isForPointers ? -1 : 0}
      aria-hidden={isForPointers}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={Math.round(value)}
      aria-valuemin={Math.round(min)}
      aria-valuemax={Math.round(max)}
      className={classes(styles.line, styles[orientation])}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { at: along(event), value: startAt?.() ?? value };
        event.preventDefault();
      }}
      onPointerMove={(event) => {
        const from = start.current;
        if (!from) return;
        onChange(clipped(from.value + sign * (along(event) - from.at) * (props.perPixel?.() ?? 1)));
      }}
      onPointerUp={() => {
        start.current = undefined;
      }}
      onPointerCancel={() => {
        start.current = undefined;
      }}
    />
  );
}
