import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { classes } from "../../../ui/classes";
import styles from "./card-list.module.css";

const CARD_PX = 160;

type Props<T> = {
  label: string;
  cards: readonly T[];
  keyOf: (card: T) => string;
  chosenId: string | undefined;
  /** Hears which card is the last one near those in sight. */
  onReach?: (index: number) => void;
  className: string | undefined;
  children: (card: T, index: number) => ReactNode;
};

/** Slices below each other, of which those near the ones in sight are drawn; the chosen one is in sight. */
export function CardList<T>(props: Props<T>) {
  const { label, cards, keyOf, chosenId, onReach, className, children } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: cards.length,
    getScrollElement: () => box.current,
    estimateSize: () => CARD_PX,
    overscan: 6,
    getItemKey: (index) => {
      const card = cards[index];
      return card === undefined ? index : keyOf(card);
    },
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onReach?.(last), [onReach, last]);
  const chosenAt = cards.findIndex((card) => keyOf(card) === chosenId);
  const scrollTo = virtual.scrollToIndex;
  useEffect(() => {
    if (chosenAt >= 0) scrollTo(chosenAt, { align: "auto" });
  }, [chosenAt, scrollTo]);
  return (
    <div ref={box} className={classes(styles.scroll, className)}>
      <ol aria-label={label} className={styles.cards} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const card = cards[item.index];
          return card === undefined ? null : (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className={styles.place}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {children(card, item.index)}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
