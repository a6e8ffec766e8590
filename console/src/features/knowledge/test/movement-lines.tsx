import { type RefObject, useEffect, useState } from "react";
import { classes } from "../../../ui/classes";
import styles from "./movement-lines.module.css";

const WIDTH_PX = 48;
/** Lines end beside the first line of a card. */
const HEAD_PX = 22;

type Line = { key: string; from: number; to: number; change: "up" | "down" | "same" };

type Props = {
  /** What holds both sides, each with its slices by their keys. */
  sides: RefObject<HTMLDivElement | null>;
  /** Keys of the slices of each side, in their order. */
  before: readonly string[];
  after: readonly string[];
};

/** From where to where each slice moved; the cards say the same in words. */
export function MovementLines({ sides, before, after }: Props) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  // Not before the layout: what holds both sides may have come with these lines.
  useEffect(() => {
    const box = sides.current;
    if (!box) return;
    const measure = () => setLines(linesIn(box, before, after));
    measure();
    // Cards grow with their windows, and what is folded moves the others.
    const observer = new ResizeObserver(measure);
    for (const side of box.querySelectorAll("[data-side]")) observer.observe(side);
    return () => observer.disconnect();
  }, [sides, before, after]);
  return (
    <svg aria-hidden="true" width={WIDTH_PX} className={styles.lines}>
      {lines.map(({ key, from, to, change }) => (
        <path
          key={key}
          d={`M0 ${from}C${WIDTH_PX / 2} ${from} ${WIDTH_PX / 2} ${to} ${WIDTH_PX} ${to}`}
          className={classes(styles.line, styles[change])}
        />
      ))}
    </svg>
  );
}

function linesIn(
  box: HTMLElement,
  before: readonly string[],
  after: readonly string[],
): readonly Line[] {
  const { top } = box.getBoundingClientRect();
  const heights = (side: string) =>
    [...box.querySelectorAll(`[data-side="${side}"] [data-slice]`)].map(
      (card) => card.getBoundingClientRect().top - top + HEAD_PX,
    );
  const [left, right] = [heights("a"), heights("b")];
  return after.flatMap((key, index): Line[] => {
    const old = before.indexOf(key);
    const [from, to] = [left[old], right[index]];
    if (from === undefined || to === undefined) return [];
    return [{ key, from, to, change: old > index ? "up" : old < index ? "down" : "same" }];
  });
}
