import { useVirtualizer } from "@tanstack/react-virtual";
import { Check, Merge, Pencil, Scissors, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { ErrorState } from "../../../ui/error-state/error-state";
import type { Failure } from "../../../ui/error-state/failure";
import { useTold } from "../../../ui/error-state/reasons";
import { TextArea } from "../../../ui/text-field/text-area";
import styles from "./preview-pane.module.css";
import { type Chunk, type Preview, useEditPreview } from "./queries";
import type { Source } from "./rules";
import { importText } from "./text";
import { Waiting } from "./waiting";

const PROCESSING = 0;
const FAILED = 2;
const CARD_PX = 140;

type Props = {
  isText: boolean;
  source: Source | undefined;
  preview: Preview | undefined;
  failure: Failure | undefined;
  isEdited: boolean;
  onEdited: (previewId: string) => void;
};

/** The slices that a source would become, to be looked at and put right. */
export function PreviewPane({ isText, source, preview, failure, isEdited, onEdited }: Props) {
  const { slices: text } = useText(importText);
  const told = useTold();
  if (!isText) return <p className={styles.note}>{text.noPreview}</p>;
  if (!source) return <p className={styles.note}>{text.none}</p>;
  if (failure) return <ErrorState failure={failure} />;
  if (preview?.status === FAILED)
    return (
      <ErrorState
        failure={{ message: told(preview.fail_code, preview.fail_reason), status: 400 }}
      />
    );
  if (!preview || preview.status === PROCESSING) return <Waiting />;
  return <Chunks source={source} preview={preview} isEdited={isEdited} onEdited={onEdited} />;
}

type ChunksProps = {
  source: Source;
  preview: Preview;
  isEdited: boolean;
  onEdited: (previewId: string) => void;
};

function Chunks({ source, preview, isEdited, onEdited }: ChunksProps) {
  const { slices: text } = useText(importText);
  const box = useRef<HTMLDivElement>(null);
  const edit = useEditPreview();
  const failure = failureOf(edit.error);
  const { chunks } = preview;
  const virtual = useVirtualizer({
    count: chunks.length,
    getScrollElement: () => box.current,
    estimateSize: () => CARD_PX,
    overscan: 6,
    getItemKey: (index) => chunks[index]?.id ?? index,
  });
  function save(next: readonly Chunk[]): void {
    edit.mutate({ id: preview.id, chunks: next }, { onSuccess: () => onEdited(preview.id) });
  }
  function merge(index: number): void {
    const [one, other] = [chunks[index], chunks[index + 1]];
    if (!one || !other) return;
    const joined = { ...one, text: `${one.text}\n\n${other.text}` };
    save([...chunks.slice(0, index), joined, ...chunks.slice(index + 2)]);
  }
  return (
    <>
      <header className={styles.bar}>
        <h2 className={styles.name}>{source.name}</h2>
        <span className={styles.facts}>{text.count(chunks.length)}</span>
        {isEdited && <span className={styles.edited}>{text.edited}</span>}
      </header>
      {failure && <ErrorLine failure={failure} />}
      <div ref={box} className={styles.scroll}>
        <ol className={styles.cards} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const chunk = chunks[item.index];
            return chunk ? (
              <li
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className={styles.place}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <ChunkCard
                  number={item.index + 1}
                  chunk={chunk}
                  isLast={item.index === chunks.length - 1}
                  isOnly={chunks.length === 1}
                  onTexts={(texts) =>
                    save(
                      chunks.flatMap((each) =>
                        each.id === chunk.id
                          ? texts.map((words) => ({ ...each, text: words }))
                          : each,
                      ),
                    )
                  }
                  onDrop={() => save(chunks.filter((each) => each.id !== chunk.id))}
                  onMerge={() => merge(item.index)}
                />
              </li>
            ) : null;
          })}
        </ol>
      </div>
    </>
  );
}

type CardProps = {
  number: number;
  chunk: Chunk;
  isLast: boolean;
  isOnly: boolean;
  /** What it shall say; in several parts, each becomes a slice. */
  onTexts: (texts: readonly string[]) => void;
  onDrop: () => void;
  onMerge: () => void;
};

function ChunkCard({ number, chunk, isLast, isOnly, onTexts, onDrop, onMerge }: CardProps) {
  const { slices: text } = useText(importText);
  const [draft, setDraft] = useState<string>();
  const card = useRef<HTMLElement>(null);
  function finish(): void {
    if (draft?.trim() && draft !== chunk.text) onTexts([draft]);
    setDraft(undefined);
  }
  function split(): void {
    const at = card.current?.querySelector("textarea")?.selectionStart ?? 0;
    const parts = [draft?.slice(0, at), draft?.slice(at)].map((part) => part?.trim() ?? "");
    if (parts.some((part) => part === "")) return;
    onTexts(parts);
    setDraft(undefined);
  }
  return (
    <article ref={card} aria-label={text.slice(number)} className={styles.card}>
      <header className={styles.cardHead}>
        <span className={styles.number}>{number}</span>
        <span className={styles.path}>{chunk.heading_path.join(" › ")}</span>
        <span className={styles.facts}>{text.chars(chunk.text.length)}</span>
        <span className={styles.tools}>
          <IconButton
            size="compact"
            label={draft === undefined ? text.edit : text.done}
            icon={draft === undefined ? <Pencil size={14} /> : <Check size={14} />}
            onClick={() => (draft === undefined ? setDraft(chunk.text) : finish())}
          />
          {draft !== undefined && (
            <IconButton
              size="compact"
              label={text.split}
              icon={<Scissors size={14} />}
              onClick={split}
            />
          )}
          <IconButton
            size="compact"
            label={text.merge}
            icon={<Merge size={14} />}
            disabled={isLast}
            onClick={onMerge}
          />
          <IconButton
            size="compact"
            label={text.drop}
            icon={<Trash2 size={14} />}
            disabled={isOnly}
            onClick={onDrop}
          />
        </span>
      </header>
      {draft === undefined ? (
        <p className={styles.text}>{chunk.text}</p>
      ) : (
        <TextArea
          label={text.slice(number)}
          value={draft}
          rows={6}
          autoFocus
          onChange={setDraft}
          onKeyDown={(event) => {
            if (event.key === "Escape") setDraft(undefined);
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) finish();
          }}
        />
      )}
    </article>
  );
}
