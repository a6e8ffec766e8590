import { useVirtualizer } from "@tanstack/react-virtual";
import { ZoomIn, ZoomOut } from "lucide-react";
import {
  type CSSProperties,
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { boxesOf, sliceAt } from "./boxes";
import { hitsOnPage, type PageHit } from "./find";
import { FindBar } from "./find-bar";
import styles from "./page-pane.module.css";
import { type DocumentPage, type Slice, usePageWords } from "./queries";
import { documentText } from "./text";
import { useFind } from "./use-find";

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
  const show = (page: number, top: number) => {
    const [start] = virtual.getOffsetForIndex(page - 1, "start") ?? [0];
    virtual.scrollToOffset(start + top * (heights[page - 1] ?? 0) - GAP_PX * 4);
  };
  const showTarget = useEffectEvent(() => first && show(first.page, first.top));
  useEffect(() => {
    if (target) showTarget();
  }, [target]);
  const find = useFind();
  const { needle } = find;
  const { read, isSearching, error } = usePageWords(documentId, generation, pages, needle !== "");
  const failure = failureOf(error);
  const hits = useMemo(
    () => read.flatMap(({ number, words }) => hitsOnPage(number, words, needle)),
    [read, needle],
  );
  const hit = hits[find.at];
  const [, hitTop = 0] = hit?.areas[0] ?? [];
  const place = hit ? `${needle} ${find.at} ${hit.page} ${hitTop}` : "";
  const showHit = useEffectEvent(() => hit && show(hit.page, hitTop));
  useEffect(() => {
    if (place) showHit();
  }, [place]);
  const step = (by: 1 | -1) => {
    const at = ZOOMS.findIndex((each) => each >= zoom);
    setZoom(ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, at + by))] ?? 100);
  };
  return (
    <div className={styles.pane}>
      <div className={styles.tools}>
        <FindBar find={find} count={hits.length} isSearching={isSearching} />
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
      {failure && needle && <ErrorLine failure={failure} />}
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
                  hits={hits.filter((each) => each.page === page.number)}
                  hit={hit}
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
  hits: readonly PageHit[];
  hit: PageHit | undefined;
  onChoose: (slice: Slice) => void;
};

function PageSheet(props: SheetProps) {
  const { page, height, source, slices, chosen, hits, hit, onChoose } = props;
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
            style={placed([box.left, box.top, box.right, box.bottom])}
          />
        ))}
      {hits.flatMap((each) =>
        each.areas.map((area) => (
          <span
            key={area.join(" ")}
            data-hit={each === hit ? "current" : ""}
            className={styles.hit}
            style={placed(area)}
          />
        )),
      )}
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

function placed([left, top, right, bottom]: PageHit["areas"][number]): CSSProperties {
  return {
    left: `${left * 100}%`,
    top: `${top * 100}%`,
    width: `${(right - left) * 100}%`,
    height: `${(bottom - top) * 100}%`,
  };
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
