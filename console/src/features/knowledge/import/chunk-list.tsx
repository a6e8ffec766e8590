import { ArrowDown, ArrowUp } from "lucide-react";
import { useRef } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { CardList } from "../document/card-list";
import { ChunkCard } from "./chunk-card";
import { hasSeveral, joined, moved, reworded, type Seams } from "./chunks";
import styles from "./preview-pane.module.css";
import { type Chunk, type Preview, useEditPreview } from "./queries";
import { importText } from "./text";

type Props = {
  name: string;
  preview: Preview;
  isEdited: boolean;
  onEdited: (previewId: string) => void;
  chosenId: string | undefined;
  /** None where nothing shows the places of slices. */
  onChoose: ((id: string) => void) | undefined;
};

/** The slices of a preview in order, and the boundaries between them. */
export function ChunkList({ name, preview, isEdited, onEdited, chosenId, onChoose }: Props) {
  const { slices: text } = useText(importText);
  const seams = useRef<Seams>(new Map());
  const edit = useEditPreview(preview.id);
  const failure = failureOf(edit.error);
  const { chunks } = preview;
  const change = (next: (all: readonly Chunk[]) => readonly Chunk[]) =>
    edit.mutate(next, { onSuccess: () => onEdited(preview.id) });
  return (
    <div className={styles.pane}>
      <header className={styles.bar}>
        <h2 className={styles.name}>{name}</h2>
        <span className={styles.facts}>{text.count(chunks.length)}</span>
        {isEdited && <span className={styles.edited}>{text.edited}</span>}
      </header>
      {failure && <ErrorLine failure={failure} />}
      <CardList
        label={name}
        cards={chunks}
        keyOf={({ id }) => String(id)}
        chosenId={chosenId}
        className={styles.cards}
      >
        {(chunk, index) => {
          const next = chunks[index + 1];
          const { id } = chunk;
          return (
            <>
              <ChunkCard
                number={index + 1}
                chunk={chunk}
                isLast={!next}
                isOnly={chunks.length === 1}
                isChosen={String(id) === chosenId}
                onChoose={onChoose && (() => onChoose(String(id)))}
                onTexts={(texts) => change((all) => reworded(all, id, texts))}
                onDrop={() => change((all) => all.filter((each) => each.id !== id))}
                onMerge={() => change((all) => joined(all, id, seams.current))}
              />
              {next && (
                <Boundary
                  number={index + 1}
                  upper={chunk}
                  lower={next}
                  onMove={(way) => change((all) => moved(all, id, way, seams.current))}
                />
              )}
            </>
          );
        }}
      </CardList>
    </div>
  );
}

type BoundaryProps = {
  /** Of the slice above it. */
  number: number;
  upper: Chunk;
  lower: Chunk;
  onMove: (way: "up" | "down") => void;
};

/** Where a slice ends and the next one begins. */
function Boundary({ number, upper, lower, onMove }: BoundaryProps) {
  const { slices: text } = useText(importText);
  return (
    // biome-ignore lint/a11y/useSemanticElements: it belongs to a list, and is no form
    <div role="group" aria-label={text.boundary(number)} className={styles.boundary}>
      <IconButton
        size="compact"
        label={text.boundaryUp}
        icon={<ArrowUp size={14} />}
        disabled={!hasSeveral(upper.text)}
        onClick={() => onMove("up")}
      />
      <IconButton
        size="compact"
        label={text.boundaryDown}
        icon={<ArrowDown size={14} />}
        disabled={!hasSeveral(lower.text)}
        onClick={() => onMove("down")}
      />
    </div>
  );
}
