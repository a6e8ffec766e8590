import { Search } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import type { NodeKind } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { useKindName, useKinds } from "../kinds";
import { type Category, categoryOf, isEnd } from "../model/kind";
import { canvasText } from "../text";
import { KindIcon } from "./kind-icon";
import styles from "./kind-list.module.css";

const ORDER: readonly Category[] = [
  "model",
  "logic",
  "knowledge",
  "outside",
  "code",
  "person",
  "database",
  "conversation",
  "note",
];

/** Name of the kind in a drag from the list to the ground. */
export const DRAGGED_KIND = "application/x-coterie-node";

type Props = {
  /** Kinds that would make no sense at the place. */
  isOffered?: (kind: NodeKind) => boolean;
  onChoose: (kind: NodeKind) => void;
  onClose?: () => void;
  isDraggable?: boolean;
  hasFocus?: boolean;
};

/** Everything that can be added, found by typing its name in any language. */
export function KindList({ isOffered, onChoose, onClose, isDraggable, hasFocus }: Props) {
  const text = useText(canvasText);
  const kinds = useKinds();
  const nameOf = useKindName();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const groups = useMemo(() => {
    const wanted = folded(query);
    const found = [...kinds.values()].filter(
      (kind) =>
        kind.is_supported &&
        !isEnd(kind.type_id) &&
        (!isOffered || isOffered(kind)) &&
        folded(
          `${Object.values(kind.names).join(" ")} ${kind.key} ${text.about[kind.type_id] ?? ""}`,
        ).includes(wanted),
    );
    return ORDER.flatMap((category) => {
      const own = found.filter((kind) => categoryOf(kind.type_id) === category);
      return own.length > 0 ? [{ category, kinds: own }] : [];
    });
  }, [kinds, query, isOffered, text]);
  const all = groups.flatMap((group) => group.kinds);
  const current = all[Math.min(at, all.length - 1)];
  function move(step: number): void {
    const next = (Math.min(at, all.length - 1) + step + all.length) % Math.max(all.length, 1);
    setAt(next);
    const option = list.current?.querySelector(`#${CSS.escape(`${id}-${all[next]?.type_id}`)}`);
    option?.scrollIntoView({ block: "nearest" });
  }
  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && current) onChoose(current);
    else if (event.key === "Escape" && onClose) onClose();
    else return;
    event.preventDefault();
  }
  return (
    <div className={styles.list} ref={list}>
      <div className={styles.search}>
        <Search size={14} />
        <input
          className={styles.input}
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${current.type_id}` : undefined}
          aria-label={text.palette.search}
          placeholder={text.palette.search}
          value={query}
          ref={(input) => {
            if (hasFocus) input?.focus({ preventScroll: true });
          }}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label={text.palette.title}
        className={styles.scroll}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: groups of a list box are no fieldsets
          <div role="group" key={group.category} aria-label={text.categories[group.category]}>
            <div className={styles.category} aria-hidden="true">
              {text.categories[group.category]}
            </div>
            {group.kinds.map((kind) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and answers the keys
              <div
                role="option"
                key={kind.type_id}
                id={`${id}-${kind.type_id}`}
                aria-selected={kind === current}
                className={styles.option}
                draggable={isDraggable}
                onDragStart={(event) => {
                  event.dataTransfer.setData(DRAGGED_KIND, kind.type_id);
                  event.dataTransfer.effectAllowed = "copy";
                }}
                onPointerMove={() => setAt(all.indexOf(kind))}
                onClick={() => onChoose(kind)}
              >
                <KindIcon type={kind.type_id} size={24} />
                <span className={styles.words}>
                  <span className={styles.name}>{nameOf(kind.type_id)}</span>
                  <span className={styles.about}>{text.about[kind.type_id]}</span>
                </span>
              </div>
            ))}
          </div>
        ))}
        {all.length === 0 && <p className={styles.nothing}>{text.palette.nothing}</p>}
      </div>
    </div>
  );
}

function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
