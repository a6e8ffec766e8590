import { Check, Merge, Pencil, Scissors, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { TextArea } from "../../../ui/text-field/text-area";
import card from "../document/slice-card.module.css";
import { SliceHead } from "../document/slice-head";
import styles from "./preview-pane.module.css";
import type { Chunk } from "./queries";
import { importText } from "./text";

type Props = {
  number: number;
  chunk: Chunk;
  isLast: boolean;
  isOnly: boolean;
  isChosen: boolean;
  /** None where nothing shows the place of a slice. */
  onChoose: (() => void) | undefined;
  /** What it shall say; in several parts, each becomes a slice. */
  onTexts: (texts: readonly string[]) => void;
  onDrop: () => void;
  onMerge: () => void;
};

/** A slice to be, which can be reworded, split, joined and left out. */
export function ChunkCard(props: Props) {
  const { number, chunk, isLast, isOnly, isChosen, onChoose, onTexts, onDrop, onMerge } = props;
  const { slices: text } = useText(importText);
  const [draft, setDraft] = useState<string>();
  const box = useRef<HTMLElement>(null);
  function finish(): void {
    if (draft?.trim() && draft !== chunk.text) onTexts([draft]);
    setDraft(undefined);
  }
  function split(): void {
    const at = box.current?.querySelector("textarea")?.selectionStart ?? 0;
    const parts = [draft?.slice(0, at), draft?.slice(at)].map((part) => part?.trim() ?? "");
    if (parts.some((part) => part === "")) return;
    onTexts(parts);
    setDraft(undefined);
  }
  return (
    <article
      ref={box}
      aria-label={text.slice(number)}
      aria-current={isChosen || undefined}
      className={card.card}
    >
      <SliceHead
        label={text.slice(number)}
        number={number}
        path={chunk.heading_path}
        isChosen={isChosen}
        onChoose={onChoose}
      >
        {chunk.page !== null && chunk.page !== undefined && (
          <span className={card.fact}>{text.page(chunk.page)}</span>
        )}
        <span className={card.fact}>{text.chars(chunk.text.length)}</span>
        <span className={card.tools}>
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
      </SliceHead>
      {draft === undefined ? (
        <p className={styles.text}>{chunk.text}</p>
      ) : (
        <div className={card.editor}>
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
        </div>
      )}
    </article>
  );
}
