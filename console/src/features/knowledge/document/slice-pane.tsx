import { useVirtualizer } from "@tanstack/react-virtual";
import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ConfirmDelete } from "../../../ui/confirm/confirm-delete";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ErrorState } from "../../../ui/error-state/error-state";
import { SearchField } from "../../../ui/text-field/search-field";
import type { Document } from "../base/queries";
import { AddSlice } from "./add-slice";
import { NoSlices } from "./no-slices";
import { type Slice, useDeleteSlice, type useSlices } from "./queries";
import { SliceCard } from "./slice-card";
import styles from "./slice-pane.module.css";
import { documentText } from "./text";

const CARD_PX = 160;

type Props = {
  document: Document;
  canWrite: boolean;
  list: ReturnType<typeof useSlices>;
  typed: string;
  onType: (typed: string) => void;
  chosenId: string | undefined;
  onChoose: (slice: Slice) => void;
};

/** The slices of a document in order. */
export function SlicePane(props: Props) {
  const { document, canWrite, list, typed, onType, chosenId, onChoose } = props;
  const text = useText(documentText);
  const [isAdding, setAdding] = useState(false);
  const [doomed, setDoomed] = useState<Slice>();
  const remove = useDeleteSlice(document.id);
  const box = useRef<HTMLDivElement>(null);
  const { rows, hasMore, loadMore } = list;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => CARD_PX,
    overscan: 6,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length * 0.75) loadMore();
  }, [hasMore, last, rows.length, loadMore]);
  const chosenAt = rows.findIndex((slice) => slice.id === chosenId);
  const scrollTo = virtual.scrollToIndex;
  useEffect(() => {
    if (chosenAt >= 0) scrollTo(chosenAt, { align: "auto" });
  }, [chosenAt, scrollTo]);
  const isEmpty = !list.isPending && !list.failure && rows.length === 0;
  return (
    <div className={styles.pane}>
      <search className={styles.tools}>
        <SearchField label={text.search} value={typed} onChange={onType} />
        {canWrite && (
          <Button icon={<Plus size={16} />} onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        )}
      </search>
      {list.failure && <ErrorState failure={list.failure} onRetry={list.retry} />}
      {isEmpty && !typed && <NoSlices document={document} />}
      {isEmpty && typed && (
        <EmptyState
          title={text.noMatch}
          action={<Button onClick={() => onType("")}>{text.clear}</Button>}
        />
      )}
      <div ref={box} className={styles.scroll}>
        <ol
          aria-label={text.slices}
          className={styles.cards}
          style={{ height: virtual.getTotalSize() }}
        >
          {items.map((item) => {
            const slice = rows[item.index];
            return slice ? (
              <li
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className={styles.place}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <SliceCard
                  slice={slice}
                  number={item.index + 1}
                  place={typed ? undefined : item.index + 1}
                  isChosen={slice.id === chosenId}
                  isLast={item.index === list.total - 1}
                  isEditable={canWrite}
                  onChoose={() => onChoose(slice)}
                  onRemove={() => setDoomed(slice)}
                />
              </li>
            ) : null;
          })}
        </ol>
      </div>
      {isAdding && <AddSlice documentId={document.id} onClose={() => setAdding(false)} />}
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          name={text.slice(rows.indexOf(doomed) + 1)}
          words={text}
          isTyped={false}
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </div>
  );
}
