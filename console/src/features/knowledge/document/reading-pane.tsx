import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useText } from "../../../text/catalogue";
import { ErrorState } from "../../../ui/error-state/error-state";
import { type Block, useReading } from "./queries";
import styles from "./reading-pane.module.css";
import { documentText } from "./text";

const BLOCK_PX = 56;
const SHOWN_ROWS = 50;

/** What was read of a document without pages, block by block. */
export function ReadingPane({ documentId }: { documentId: string }) {
  const text = useText(documentText);
  const box = useRef<HTMLDivElement>(null);
  const { rows, isPending, hasMore, loadMore, failure, retry } = useReading(documentId);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => BLOCK_PX,
    overscan: 10,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length * 0.75) loadMore();
  }, [hasMore, last, rows.length, loadMore]);
  if (failure) return <ErrorState failure={failure} onRetry={retry} />;
  if (!isPending && rows.length === 0) return <p className={styles.note}>{text.noReading}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: it scrolls, by keys too
    <div ref={box} role="group" tabIndex={0} aria-label={text.original} className={styles.scroll}>
      <div className={styles.blocks} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const block = rows[item.index];
          return block ? (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className={styles.place}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <BlockView block={block} />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return (
        <p className={styles.heading} data-level={Math.min(3, block.level)}>
          {block.text}
        </p>
      );
    case "table":
      return <Rows rows={block.rows} />;
    case "code":
      return <pre className={styles.code}>{block.text}</pre>;
    case "list_item":
      return <p className={styles.item}>{block.text}</p>;
    case "page_break":
      return <hr className={styles.line} />;
    default:
      return <p className={styles.text}>{block.text}</p>;
  }
}

function Rows({ rows }: { rows: Block["rows"] }) {
  return (
    <div className={styles.tableBox}>
      <table className={styles.table}>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their place
            <tr key={index}>
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no name but their place
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
