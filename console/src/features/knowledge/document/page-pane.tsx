import { useVirtualizer } from "@tanstack/react-virtual";
import { GalleryVertical, ScanSearch, ZoomIn, ZoomOut } from "lucide-react";
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { boxesOf, type Placed } from "./boxes";
import { hitsOnPage } from "./find";
import { FindBar } from "./find-bar";
import styles from "./page-pane.module.css";
import { PageSheet } from "./page-sheet";
import { type PageOwner, pageSource } from "./page-source";
import { type DocumentPage, usePageWords } from "./queries";
import { documentText } from "./text";
import { Thumbnails } from "./thumbnails";
import { uncoveredOn } from "./uncovered";
import { useFind } from "./use-find";

const ZOOMS = [50, 75, 100, 150, 200, 300, 400] as const;
const GAP_PX = 16;
const FIRST_WIDTH_PX = 640;

type Props = {
  owner: PageOwner;
  pages: readonly DocumentPage[];
  slices: readonly Placed[];
  /** All slices that searches find, to tell what they do not; nothing while they are fetched. */
  found: readonly Placed[] | undefined;
  /** Whether what stands in none of them is hatched. */
  isJudged: boolean;
  onJudge: (isJudged: boolean) => void;
  /** All slices are shown with their numbers, not the chosen one alone. */
  areBounded?: boolean;
  chosenId: string | undefined;
  onChoose: (slice: Placed) => void;
};

/** The pages of a file as they are printed, with the chosen slice outlined on them. */
export function PagePane(props: Props) {
  const { owner, pages, slices, found, isJudged, areBounded = false, chosenId, onChoose } = props;
  const text = useText(documentText);
  const box = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<number>(100);
  const [isStrip, setStrip] = useState(pages.length > 1);
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
  const show = (page: number, top: number, above = GAP_PX * 4) => {
    const [start] = virtual.getOffsetForIndex(page - 1, "start") ?? [0];
    virtual.scrollToOffset(start + top * (heights[page - 1] ?? 0) - above);
  };
  const showTarget = useEffectEvent(() => first && show(first.page, first.top));
  useEffect(() => {
    if (target) showTarget();
  }, [target]);
  const find = useFind();
  const { needle } = find;
  const isRead = needle !== "" || isJudged;
  const { read, isSearching, error } = usePageWords(owner, pages, isRead);
  const failure = failureOf(error);
  const hits = useMemo(
    () => read.flatMap(({ number, words }) => hitsOnPage(number, words, needle)),
    [read, needle],
  );
  const uncovered = useMemo(
    () =>
      new Map(
        isJudged && found
          ? read.map(({ number, words }) => [number, uncoveredOn(number, words, found)])
          : [],
      ),
    [read, found, isJudged],
  );
  const missing = [...uncovered.values()].reduce((sum, areas) => sum + areas.length, 0);
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
        {pages.length > 1 && (
          <span className={styles.strip}>
            <IconButton
              size="compact"
              label={text.thumbnails}
              aria-pressed={isStrip}
              icon={<GalleryVertical size={16} />}
              onClick={() => setStrip(!isStrip)}
            />
          </span>
        )}
        <FindBar find={find} count={hits.length} isSearching={isSearching} />
        <IconButton
          size="compact"
          label={text.uncovered.show}
          aria-pressed={isJudged}
          icon={<ScanSearch size={16} />}
          onClick={() => props.onJudge(!isJudged)}
        />
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
      {failure && isRead && <ErrorLine failure={failure} />}
      {isJudged && (
        <output className={styles.note}>
          {isSearching || !found ? text.uncovered.looking : text.uncovered.count(missing)}
        </output>
      )}
      <div className={styles.body}>
        {isStrip && (
          <Thumbnails
            owner={owner}
            pages={pages}
            current={(virtual.range?.startIndex ?? 0) + 1}
            onShow={(page) => show(page, 0, 0)}
          />
        )}
        {/* biome-ignore lint/a11y/useSemanticElements: it scrolls, and is no form */}
        <div
          ref={box}
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
          tabIndex={0}
          aria-label={text.original}
          className={styles.scroll}
        >
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
                    source={pageSource(owner, page.number, shown)}
                    slices={slices}
                    chosen={chosen}
                    areBounded={areBounded}
                    hits={hits.filter((each) => each.page === page.number)}
                    hit={hit}
                    uncovered={uncovered.get(page.number) ?? NOTHING}
                    onChoose={onChoose}
                  />
                </div>
              ) : null;
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

const NOTHING: readonly never[] = [];

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
