import { ChevronDown, ChevronUp, GripVertical, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { Combobox } from "../../../ui/combobox/combobox";
import { type Model, useSiblings } from "../queries";
import { type ModelEdit, moved } from "./edit";
import styles from "./model-screen.module.css";
import { modelText } from "./text";

type Props = {
  model: Model | undefined;
  edit: ModelEdit;
  isDisabled: boolean;
  onEdit: (change: Partial<ModelEdit>) => void;
};

/** Who is asked when the model fails, in order: dragged, or moved by keys. */
export function Fallbacks({ model, edit, isDisabled, onEdit }: Props) {
  const { fallbacks: text } = useText(modelText);
  const siblings = useSiblings(edit.type) ?? [];
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const [told, setTold] = useState("");
  const { fallbacks } = edit;
  const nameOf = (id: string) =>
    siblings.find((each) => each.id === id || each.aliases.includes(id))?.display.name ?? id;
  const free = siblings.filter(
    (each) =>
      each.id !== model?.id &&
      !fallbacks.includes(each.id) &&
      !fallbacks.includes(each.display.name),
  );
  function move(from: number, to: number): void {
    const next = moved(fallbacks, from, to);
    if (next === fallbacks) return;
    onEdit({ fallbacks: next });
    setTold(text.movedTo(nameOf(fallbacks[from] ?? ""), to + 1));
  }
  function onKeyDown(event: KeyboardEvent, index: number): void {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || !event.altKey) return;
    event.preventDefault();
    move(index, index + step);
  }
  if (isDisabled && fallbacks.length === 0) return null;
  return (
    <section aria-label={text.title} className={styles.part}>
      <h2 className={styles.title}>{text.title}</h2>
      <p className={styles.note}>{text.why}</p>
      {fallbacks.length > 0 && (
        <ol className={styles.stack}>
          {fallbacks.map((id, index) => (
            <li
              key={id}
              className={styles.standIn}
              data-over={over === index || undefined}
              draggable={!isDisabled}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = "move";
                event.dataTransfer.setData("text/plain", nameOf(id));
                setDragged(index);
              }}
              onDragOver={(event) => {
                if (dragged === undefined) return;
                event.preventDefault();
                setOver(index);
              }}
              onDrop={(event) => {
                event.preventDefault();
                if (dragged !== undefined) move(dragged, index);
              }}
              onDragEnd={() => {
                setDragged(undefined);
                setOver(undefined);
              }}
              onKeyDown={(event) => onKeyDown(event, index)}
            >
              <span className={styles.grip} aria-hidden="true">
                <GripVertical size={14} />
              </span>
              <span className={styles.number}>{index + 1}</span>
              <span className={styles.name}>{nameOf(id)}</span>
              {!isDisabled && (
                <>
                  <IconButton
                    size="compact"
                    label={text.up(nameOf(id))}
                    icon={<ChevronUp size={16} />}
                    disabled={index === 0}
                    onClick={() => move(index, index - 1)}
                  />
                  <IconButton
                    size="compact"
                    label={text.down(nameOf(id))}
                    icon={<ChevronDown size={16} />}
                    disabled={index === fallbacks.length - 1}
                    onClick={() => move(index, index + 1)}
                  />
                  <IconButton
                    size="compact"
                    label={text.remove(nameOf(id))}
                    icon={<X size={16} />}
                    onClick={() => onEdit({ fallbacks: fallbacks.filter((each) => each !== id) })}
                  />
                </>
              )}
            </li>
          ))}
        </ol>
      )}
      {!isDisabled && (
        <Combobox
          label={text.add}
          value={undefined}
          placeholder={free.length > 0 ? text.choose : text.noOther}
          options={free.map((each) => ({
            value: each.id,
            label: each.display.name,
            note: each.provider,
          }))}
          isDisabled={free.length === 0}
          onChange={(chosen) => chosen && onEdit({ fallbacks: [...fallbacks, chosen.value] })}
        />
      )}
      <p role="status" className={styles.note}>
        {told}
      </p>
    </section>
  );
}
