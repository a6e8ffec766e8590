import { Plus } from "lucide-react";
import { useCallback, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ConfirmDelete } from "../../../ui/confirm/confirm-delete";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ErrorState } from "../../../ui/error-state/error-state";
import { SearchField } from "../../../ui/text-field/search-field";
import type { Document } from "../base/queries";
import { AddSlice } from "./add-slice";
import { CardList } from "./card-list";
import { NoSlices } from "./no-slices";
import { type Slice, useDeleteSlice, type useSlices } from "./queries";
import { SliceCard } from "./slice-card";
import styles from "./slice-pane.module.css";
import { documentText } from "./text";

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
  const { rows, hasMore, loadMore } = list;
  const onReach = useCallback(
    (index: number) => {
      if (hasMore && index >= rows.length * 0.75) loadMore();
    },
    [hasMore, rows.length, loadMore],
  );
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
      <CardList
        label={text.slices}
        cards={rows}
        keyOf={({ id }) => id}
        chosenId={chosenId}
        onReach={onReach}
        className={styles.cards}
      >
        {(slice, index) => (
          <SliceCard
            slice={slice}
            number={index + 1}
            place={typed ? undefined : index + 1}
            isChosen={slice.id === chosenId}
            isLast={index === list.total - 1}
            isEditable={canWrite}
            onChoose={() => onChoose(slice)}
            onRemove={() => setDoomed(slice)}
          />
        )}
      </CardList>
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
