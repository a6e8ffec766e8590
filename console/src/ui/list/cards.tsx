import { type ReactNode, useEffect, useRef } from "react";
import { Skeleton } from "../skeleton/skeleton";
import styles from "./cards.module.css";

type Props = {
  label: string;
  cards: readonly { key: string; content: ReactNode }[];
  isLoading: boolean;
  hasMore: boolean;
  onMore: () => void;
};

const BONES = ["1", "2", "3", "4", "5", "6"];
/** The next page is asked for this long before the end is seen. */
const AHEAD = "600px";

/** Things of a list as cards; those out of sight are neither laid out nor painted. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Cards({ label, cards, isLoading, hasMore, onMore }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasMore || !end.current) return;
    const near = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore(), {
      root: box.current,
      rootMargin: AHEAD,
    });
    near.observe(end.current);
    return () => near.disconnect();
  }, [hasMore, onMore]);
  return (
    <div ref={box} className={styles.box} aria-busy={isLoading}>
      <ul aria-label={label} className={styles.cards}>
        {isLoading && cards.length === 0
          ? BONES.map((bone) => (
              <li key={bone} data-skeleton className={styles.card}>
                <Skeleton width="60%" />
                <Skeleton width="90%" />
              </li>
            ))
          : cards.map(({ key, content }) => (
              <li key={key} className={styles.card}>
                {content}
              </li>
            ))}
      </ul>
      <div ref={end} />
    </div>
  );
}
