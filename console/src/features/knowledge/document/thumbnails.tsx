import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useText } from "../../../text/catalogue";
import { type PageOwner, pageSource } from "./page-source";
import type { DocumentPage } from "./queries";
import { documentText } from "./text";
import styles from "./thumbnails.module.css";

const WIDTH_PX = 88;
/** The number below a page and the room between two. */
const BELOW_PX = 36;

type Props = {
  owner: PageOwner;
  pages: readonly DocumentPage[];
  /** The page in sight. */
  current: number;
  onShow: (page: number) => void;
};

/** All pages small, to go to one of them. */
export function Thumbnails({ owner, pages, current, onShow }: Props) {
  const text = useText(documentText);
  const box = useRef<HTMLDivElement>(null);
  const heights = pages.map((page) => Math.round(WIDTH_PX * (page.height / (page.width || 1))));
  const virtual = useVirtualizer({
    count: pages.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (heights[index] ?? WIDTH_PX) + BELOW_PX,
    overscan: 2,
  });
  const scrollTo = virtual.scrollToIndex;
  useEffect(() => scrollTo(current - 1, { align: "auto" }), [current, scrollTo]);
  return (
    <nav ref={box} aria-label={text.pages} className={styles.strip}>
      <ol className={styles.pages} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const page = pages[item.index];
          return page ? (
            <li
              key={item.key}
              className={styles.place}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <button
                type="button"
                aria-label={text.page(page.number)}
                aria-current={page.number === current ? "page" : undefined}
                className={styles.page}
                onClick={() => onShow(page.number)}
              >
                <img
                  src={pageSource(owner, page.number, WIDTH_PX)}
                  alt=""
                  loading="lazy"
                  className={styles.image}
                  style={{ height: heights[item.index] }}
                />
                {page.number}
              </button>
            </li>
          ) : null;
        })}
      </ol>
    </nav>
  );
}
