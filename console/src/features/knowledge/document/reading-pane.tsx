import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef } from "react";
import { onThisOrigin } from "../../../api/client";
import { useText } from "../../../text/catalogue";
import { ErrorState } from "../../../ui/error-state/error-state";
import type { Document } from "../base/queries";
import { hitsInBlocks, placesIn, SHOWN_ROWS, textsOf } from "./find";
import { FindBar } from "./find-bar";
import { slicesOfBlocks } from "./links";
import { MarkedText } from "./marked-text";
import { type Block, type Slice, useReading } from "./queries";
import styles from "./reading-pane.module.css";
import { documentText } from "./text";
import { useFind } from "./use-find";

const BLOCK_PX = 56;

type Props = {
  document: Document;
  slices: readonly Slice[];
  chosenId: string | undefined;
  onChoose: (slice: Slice) => void;
};

/** What was read of a document without pages, block by block, beside the numbers of its slices. */
export function ReadingPane({ document, slices, chosenId, onChoose }: Props) {
  const text = useText(documentText);
  const box = useRef<HTMLDivElement>(null);
  const { rows, isPending, hasMore, loadMore, failure, retry } = useReading(
    document.id,
    document.status,
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => BLOCK_PX,
    overscan: 10,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const find = useFind();
  const { needle } = find;
  const isSearching = needle !== "" && (isPending || hasMore);
  useEffect(() => {
    if (hasMore && (needle || last >= rows.length * 0.75)) loadMore();
  }, [hasMore, needle, last, rows.length, loadMore]);
  const hits = useMemo(() => hitsInBlocks(rows, needle), [rows, needle]);
  const hitBlock = hits[find.at];
  const scrollTo = virtual.scrollToIndex;
  useEffect(() => {
    if (hitBlock !== undefined) scrollTo(hitBlock, { align: "center" });
  }, [hitBlock, scrollTo]);
  const links = useMemo(() => slicesOfBlocks(rows, slices), [rows, slices]);
  const isChosen = (index: number) => links[index]?.some(({ id }) => id === chosenId) ?? false;
  const chosenAt = links.findIndex((_, index) => isChosen(index));
  useEffect(() => {
    if (chosenAt >= 0) scrollTo(chosenAt, { align: "auto" });
  }, [chosenAt, scrollTo]);
  if (failure) return <ErrorState failure={failure} onRetry={retry} />;
  if (!isPending && rows.length === 0) return <p className={styles.note}>{text.noReading}</p>;
  return (
    <div className={styles.pane}>
      <div className={styles.tools}>
        <FindBar find={find} count={hits.length} isSearching={isSearching} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: it scrolls, by keys too */}
      <div ref={box} role="group" tabIndex={0} aria-label={text.original} className={styles.scroll}>
        <div className={styles.blocks} style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const block = rows[item.index];
            return block ? (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                data-is-chosen={isChosen(item.index) || undefined}
                className={styles.place}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <Begun
                  slices={begunAt(links, item.index)}
                  numberOf={(slice) => slices.indexOf(slice) + 1}
                  onChoose={onChoose}
                />
                <BlockView
                  block={block}
                  needle={needle}
                  at={item.index === hitBlock ? find.at - hits.indexOf(item.index) : -1}
                />
              </div>
            ) : null;
          })}
        </div>
      </div>
    </div>
  );
}

/** The slices that begin with a block. */
function begunAt(links: readonly (readonly Slice[])[], index: number): readonly Slice[] {
  const before = new Set(links.slice(0, index).findLast((each) => each.length > 0));
  return (links[index] ?? []).filter((slice) => !before.has(slice));
}

type BegunProps = {
  slices: readonly Slice[];
  numberOf: (slice: Slice) => number;
  onChoose: (slice: Slice) => void;
};

/** Numbers of slices at the edge of what they were cut from; one leads to its slice. */
function Begun({ slices, numberOf, onChoose }: BegunProps) {
  const text = useText(documentText);
  return (
    <span className={styles.begun}>
      {slices.map((slice) => (
        <button
          key={slice.id}
          type="button"
          aria-label={text.ofSlice(numberOf(slice))}
          className={styles.number}
          onClick={() => onChoose(slice)}
        >
          {numberOf(slice)}
        </button>
      ))}
    </span>
  );
}

type BlockProps = {
  block: Block;
  needle: string;
  /** The hit one is at, counted in this block. */
  at: number;
};

function BlockView({ block, needle, at }: BlockProps) {
  const said = <MarkedText text={block.text} needle={needle} at={at} />;
  switch (block.kind) {
    case "heading":
      return (
        <p className={styles.heading} data-level={Math.min(3, block.level)}>
          {said}
        </p>
      );
    case "table":
      return <Rows block={block} needle={needle} at={at} />;
    case "code":
      return <pre className={styles.code}>{said}</pre>;
    case "list_item":
      return <p className={styles.item}>{said}</p>;
    case "image":
      return (
        <figure className={styles.figure}>
          {block.url && <img src={onThisOrigin(block.url)} alt={block.text} loading="lazy" />}
          {block.text && <figcaption>{said}</figcaption>}
        </figure>
      );
    case "page_break":
      return <hr className={styles.line} />;
    default:
      return <p className={styles.text}>{said}</p>;
  }
}

function Rows({ block, needle, at }: BlockProps) {
  const before = textsOf(block).reduce(
    (sums, text) => sums.concat((sums.at(-1) ?? 0) + placesIn(text, needle).length),
    [0],
  );
  let cells = 0;
  return (
    <div className={styles.tableBox}>
      <table className={styles.table}>
        <tbody>
          {block.rows.slice(0, SHOWN_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their place
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name but their place
                <td key={column}>
                  <MarkedText text={cell ?? ""} needle={needle} at={at - (before[cells++] ?? 0)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
