import { Pencil } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { useUnsaved } from "../../../ui/form/unsaved";
import { TextArea } from "../../../ui/text-field/text-area";
import { type Slice, useEditSlice, useShapeSlice } from "./queries";
import styles from "./slice-card.module.css";
import { SliceHead } from "./slice-head";
import { SliceMenu } from "./slice-menu";
import { SliceState } from "./slice-state";
import { SliceText } from "./slice-text";
import { documentText } from "./text";

type Props = {
  slice: Slice;
  number: number;
  /** Its place among all slices; none where only some are listed. */
  place: number | undefined;
  isChosen: boolean;
  isLast: boolean;
  isEditable: boolean;
  onChoose: () => void;
  onRemove: () => void;
};

/** One slice: where it stands, what it says, and what can be done with it. */
export function SliceCard(props: Props) {
  const { slice, number, isChosen, isEditable, onChoose } = props;
  const text = useText(documentText);
  const [draft, setDraft] = useState<string>();
  const { mutate, isPending, error } = useEditSlice(slice.document_id);
  const shape = useShapeSlice(slice.document_id);
  const failure = failureOf(error ?? shape.error);
  useUnsaved(draft !== undefined && draft !== slice.content && !isPending);
  const box = useRef<HTMLDivElement>(null);
  function split(): void {
    const at = box.current?.querySelector("textarea")?.selectionStart ?? 0;
    shape.mutate({ id: slice.id, what: "split", at }, { onSuccess: () => setDraft(undefined) });
  }
  function save(): void {
    if (draft === undefined || !draft.trim()) return;
    if (draft === slice.content) setDraft(undefined);
    else mutate({ id: slice.id, content: draft }, { onSuccess: () => setDraft(undefined) });
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape") setDraft(undefined);
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) save();
  }
  return (
    <article
      aria-label={text.slice(number)}
      aria-current={isChosen || undefined}
      data-is-off={!slice.enabled || undefined}
      className={styles.card}
    >
      <SliceHead
        label={text.slice(number)}
        number={number}
        path={slice.heading_path}
        isChosen={isChosen}
        onChoose={onChoose}
      >
        {slice.is_edited && <span className={styles.edited}>{text.edited}</span>}
        {slice.page !== null && slice.page !== undefined && (
          <span className={styles.fact}>{text.pageOf(slice.page)}</span>
        )}
        <SliceState slice={slice} />
        <span className={styles.fact} title={text.chars(slice.char_count)}>
          {text.tokens(slice.tokens)}
        </span>
        {slice.hit_count > 0 && <span className={styles.fact}>{text.hits(slice.hit_count)}</span>}
        {isEditable && (
          <span className={styles.tools}>
            <IconButton
              size="compact"
              label={text.edit}
              icon={<Pencil size={14} />}
              onClick={() => setDraft(slice.content)}
            />
            <SliceMenu
              slice={slice}
              place={props.place}
              name={text.slice(number)}
              isLast={props.isLast}
              onChange={(change) => mutate({ id: slice.id, ...change })}
              onShape={(what) => shape.mutate({ id: slice.id, what })}
              onRemove={props.onRemove}
            />
          </span>
        )}
      </SliceHead>
      {draft === undefined ? (
        <SliceText content={slice.content} />
      ) : (
        <div ref={box} className={styles.editor}>
          <TextArea
            label={text.slice(number)}
            value={draft}
            rows={8}
            autoFocus
            onChange={setDraft}
            onKeyDown={onKeyDown}
          />
          <div className={styles.actions}>
            <Button kind="primary" isLoading={isPending} disabled={!draft.trim()} onClick={save}>
              {text.save}
            </Button>
            <Button kind="quiet" onClick={() => setDraft(undefined)}>
              {text.restore}
            </Button>
            <Button
              kind="quiet"
              title={text.splitWhy}
              disabled={draft !== slice.content}
              isLoading={shape.isPending}
              onClick={split}
            >
              {text.split}
            </Button>
          </div>
        </div>
      )}
      {failure && <ErrorLine failure={failure} labels={{ content: text.slice(number) }} />}
    </article>
  );
}
