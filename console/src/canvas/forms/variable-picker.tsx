import { Search } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { useText } from "../../text/catalogue";
import { type Field, type Fit, fitOf, letterOf } from "../model/field";
import type { Source } from "../model/output";
import { canvasText } from "../text";
import { KindIcon } from "../view/kind-icon";
import styles from "./variable-picker.module.css";

type Choice = {
  readonly blockId: string;
  readonly segments: readonly string[];
  readonly field: Field;
};

type Row = Choice & { readonly key: string; readonly depth: number; readonly fit: Fit };
type Group = { readonly source: Source; readonly rows: readonly Row[] };

const DEEPEST = 6;

type Props = {
  sources: readonly Source[];
  /** The type that is wanted; nothing where any will do. */
  wanted: Field | undefined;
  onChoose: (choice: Choice) => void;
};

/** Everything that a node can read, the nearest first, found by typing a part of its path. */
export function VariablePicker({ sources, wanted, onChoose }: Props) {
  const text = useText(canvasText);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const groups = useMemo(() => found(sources, wanted, query), [sources, wanted, query]);
  const all = groups.flatMap((group) => group.rows);
  const current = all[Math.min(at, all.length - 1)];
  function onKeyDown(event: KeyboardEvent): void {
    const step = new Map([
      ["ArrowDown", 1],
      ["ArrowUp", -1],
    ]).get(event.key);
    if (step) {
      const next = (Math.min(at, all.length - 1) + step + all.length) % Math.max(all.length, 1);
      setAt(next);
      list.current
        ?.querySelector(`#${CSS.escape(`${id}-${all[next]?.key}`)}`)
        ?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && current) onChoose(current);
    else return;
    event.preventDefault();
  }
  return (
    <div className={styles.picker} ref={list}>
      <div className={styles.search}>
        <Search size={14} />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${current.key}` : undefined}
          aria-label={text.picker.search}
          placeholder={text.picker.search}
          className={styles.input}
          value={query}
          ref={(input) => input?.focus({ preventScroll: true })}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label={text.picker.title} className={styles.list}>
        {groups.map(({ source, rows }) => (
          // biome-ignore lint/a11y/useSemanticElements: groups of a list box are no fieldsets
          <div
            role="group"
            key={`${source.node.id}-${source.relation}`}
            aria-label={source.node.title}
          >
            <div className={styles.source} aria-hidden="true">
              <KindIcon type={source.node.type} />
              {source.node.title}
              {source.relation === "iteration" && (
                <span className={styles.note}>{text.picker.iteration}</span>
              )}
            </div>
            {rows.map((row) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and answers the keys
              <div
                role="option"
                key={row.key}
                id={`${id}-${row.key}`}
                aria-selected={row === current}
                className={styles.row}
                data-fit={row.fit}
                style={{ paddingLeft: 16 + row.depth * 16 }}
                onPointerMove={() => setAt(all.indexOf(row))}
                onClick={() => onChoose(row)}
              >
                <span className={styles.name}>{row.segments.at(-1)}</span>
                <span className={styles.letter}>{letterOf(row.field)}</span>
                {row.field.description && (
                  <span className={styles.about}>{row.field.description}</span>
                )}
                {wanted && row.fit !== "exact" && (
                  <span className={styles.fit}>{text.picker.fits[row.fit]}</span>
                )}
              </div>
            ))}
          </div>
        ))}
        {all.length === 0 && (
          <p className={styles.nothing}>{query ? text.picker.noMatch : text.picker.nothing}</p>
        )}
      </div>
    </div>
  );
}

function found(sources: readonly Source[], wanted: Field | undefined, query: string): Group[] {
  const words = query.toLowerCase();
  return sources.flatMap((source) => {
    const rows = rowsOf(source, source.fields, [], wanted).filter(
      (row) =>
        words === "" ||
        `${source.node.title}.${row.segments.join(".")}`.toLowerCase().includes(words),
    );
    return rows.length > 0 ? [{ source, rows }] : [];
  });
}

function rowsOf(
  source: Source,
  fields: readonly Field[],
  above: readonly string[],
  wanted: Field | undefined,
): Row[] {
  if (above.length >= DEEPEST) return [];
  return fields.flatMap((field) => {
    const segments = [...above, field.name];
    const row: Row = {
      key: `${source.node.id}-${segments.join("-")}`,
      blockId: source.node.id,
      segments,
      field,
      depth: above.length,
      fit: wanted ? fitOf(field, wanted) : "exact",
    };
    const inside = field.type === "list" ? field.item : field;
    return [row, ...(inside ? rowsOf(source, inside.fields, segments, wanted) : [])];
  });
}
