import { useVirtualizer } from "@tanstack/react-virtual";
import { ZoomIn, ZoomOut } from "lucide-react";
import {
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { boxesOf, sliceAt } from "./boxes";
import styles from "./page-pane.module.css";
import type { DocumentPage, Slice } from "./queries";
import { documentText } from "./text";

const ZOOMS = [50, 75, 100, 150, 200, 300, 400] as const;
const WIDTHS = [400, 800, 1200, 1600, 2400, 3000] as const;
const GAP_PX = 16;
const FIRST_WIDTH_PX = 640;

type Props = {
  documentId: string;
  generation: number;
  pages: readonly DocumentPage[];
  slices: readonly Slice[];
  chosenId: string | undefined;
  onChoose: (slice: Slice) => void;
};

/** The pages of a document as they are printed, with the chosen slice outlined on them. */
export function PagePane({ documentId, generation, pages, slices, chosenId, onChoose }: Props) {
  const text = useText(documentText);
  const box = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<number>(100);
  const width = usePaneWidth(box);
  const shown = Math.round((width - 2 * GAP_PX) * (zoom / 100));
  const heights = pages.map((page) => shown * (page.height / (page.width || 1)));
  const virtual = useVirtualizer({
    count: pages.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (heights[index] ?? shown) + GAP_PX,
    overscan: 1,
  });
  const measure = useEffectEvent((_width: number) => virtual.measure());
  useEffect(() => measure(shown), [shown]);
  const chosen = slices.find((slice) => slice.id === chosenId);
  const [first] = boxesOf(chosen);
  const target = first ? `${first.page} ${first.top}` : "";
  const showTarget = useEffectEvent(() => {
    if (!first) return;
    const [start] = virtual.getOffsetForIndex(first.page - 1, "start") ?? [0];
    virtual.scrollToOffset(start + first.top * (heights[first.page - 1] ?? 0) - GAP_PX * 4);
  });
  useEffect(() => {
    if (target) showTarget();
  }, [target]);
  const step = (by: 1 | -1) => {
    const at = ZOOMS.findIndex((each) => each >= zoom);
    setZoom(ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, at + by))] ?? 100);
  };
  return (
    <div className={styles.pane}>
      <div className={styles.tools}>
        <IconButton
          size="compact"
          label={text.zoomOut}
          icon={<ZoomOut size={16} />}
          disabled={zoom <= (ZOOMS[0] ?? 0)}
          onClick={() => step(-1)}
        />
        <output aria-label={text.zoom} className={styles.zoom}>
          {zoom} %
        </output>
        <IconButton
          size="compact"
          label={text.zoomIn}
          icon={<ZoomIn size={16} />}
          disabled={zoom >= (ZOOMS.at(-1) ?? 0)}
          onClick={() => step(1)}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: it scrolls, by keys too */}
      <div ref={box} role="group" tabIndex={0} aria-label={text.original} className={styles.scroll}>
        <div className={styles.pages} style={{ height: virtual.getTotalSize(), width: shown }}>
          {virtual.getVirtualItems().map((item) => {
            const page = pages[item.index];
            return page ? (
              <div
                key={item.key}
                className={styles.place}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <PageSheet
                  page={page}
                  height={heights[item.index] ?? shown}
                  source={`/admin/v1/documents/${documentId}/pages/${page.number}/image?width=${drawnWidth(shown)}&generation=${generation}`}
                  slices={slices}
                  chosen={chosen}
                  onChoose={onChoose}
                />
              </div>
            ) : null;
          })}
        </div>
      </div>
    </div>
  );
}

type SheetProps = {
  page: DocumentPage;
  height: number;
  source: string;
  slices: readonly Slice[];
  chosen: Slice | undefined;
  onChoose: (slice: Slice) => void;
};

function PageSheet({ page, height, source, slices, chosen, onChoose }: SheetProps) {
  const text = useText(documentText);
  const { number } = page;
  function choose(event: MouseEvent<HTMLButtonElement>): void {
    const frame = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - frame.left) / frame.width;
    const y = (event.clientY - frame.top) / frame.height;
    const next = sliceAt(slices, number, [x, y], chosen?.id);
    if (next) onChoose(next);
  }
  return (
    <div className={styles.sheet} style={{ height }}>
      <img src={source} alt={text.page(number)} loading="lazy" className={styles.image} />
      {boxesOf(chosen)
        .filter((box) => box.page === number)
        .map((box) => (
          <span
            key={`${box.left} ${box.top}`}
            data-outline=""
            className={styles.outline}
            style={{
              left: `${box.left * 100}%`,
              top: `${box.top * 100}%`,
              width: `${(box.right - box.left) * 100}%`,
              height: `${(box.bottom - box.top) * 100}%`,
            }}
          />
        ))}
      <button
        type="button"
        tabIndex={-1}
        aria-label={text.choosePage(number)}
        className={styles.choose}
        onClick={choose}
      />
    </div>
  );
}

/** The width in which a page is asked for: sharp on this screen, and one of a few. */
function drawnWidth(shown: number): number {
  const wanted = shown * globalThis.devicePixelRatio;
  return WIDTHS.find((width) => width >= wanted) ?? 3000;
}

function usePaneWidth(box: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(FIRST_WIDTH_PX);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
