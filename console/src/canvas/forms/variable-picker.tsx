import { Search } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useRef, useState } from "react";
import { useText } from "../../text/catalogue";
import { type Field, type Fit, fitOf } from "../model/field";
import type { Source } from "../model/output";
import { valueAt } from "../model/outside";
import { unknownVariables, type VariableSource, type Variables } from "../model/variables";
import { useRun } from "../run/run-store";
import { shortText } from "../run/short-text";
import { canvasText } from "../text";
import type { Text } from "../text.en";
import { typeWord } from "../type-word";
import { KindIcon } from "../view/kind-icon";
import styles from "./variable-picker.module.css";

export type Choice = {
  /** Whose variable it is; nothing for an output of a node. */
  readonly variable: VariableSource | undefined;
  readonly blockId: string;
  readonly segments: readonly string[];
  readonly field: Field;
};

type Row = Choice & {
  readonly key: string;
  readonly depth: number;
  readonly fit: Fit;
  /** Lies in a list, of which the first element is taken. */
  readonly isFirst: boolean;
  /** What it was in the run that is shown. */
  readonly value: string;
};
type Group = {
  readonly key: string;
  readonly title: string;
  /** The kind of the node; nothing for variables. */
  readonly type: string | undefined;
  readonly note: string;
  readonly rows: readonly Row[];
};

const DEEPEST = 6;

type Props = {
  sources: readonly Source[];
  /** What can be read beside the nodes. */
  variables?: readonly Variables[];
  /** The type that is wanted; nothing where any will do. */
  wanted: Field | undefined;
  onChoose: (choice: Choice) => void;
};

/**
 * Everything that a node can read, the nearest first, found by typing a part of its path. A name
 * that no variable has yet can be taken as one.
 */
export function VariablePicker({ sources, variables = NO_VARIABLES, wanted, onChoose }: Props) {
  const text = useText(canvasText);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const { view } = useRun();
  const results = view?.results;
  const groups = useMemo(() => {
    const outputOf = (id: string) => results?.get(id)?.at(-1)?.output;
    return found({ sources, variables, wanted, query, outputOf, text });
  }, [sources, variables, wanted, query, results, text]);
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
        {sources.length === 0 && !query && <p className={styles.nothing}>{text.picker.nothing}</p>}
        {groups.map(({ key, title, type, note, rows }) => (
          // biome-ignore lint/a11y/useSemanticElements: groups of a list box are no fieldsets
          <div role="group" key={key} aria-label={title}>
            <div className={styles.source} aria-hidden="true">
              {type !== undefined && <KindIcon type={type} />}
              {title}
              {note && <span className={styles.note}>{note}</span>}
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
                <span className={styles.type}>{typeWord(row.field, text)}</span>
                {row.field.description && (
                  <span className={styles.about}>{row.field.description}</span>
                )}
                {row.value && <span className={styles.value}>{row.value}</span>}
                {row.isFirst && <span className={styles.fit}>{text.picker.first}</span>}
                {wanted && row.fit !== "exact" && (
                  <span className={styles.fit}>{text.picker.fits[row.fit]}</span>
                )}
              </div>
            ))}
          </div>
        ))}
        {all.length === 0 && query && <p className={styles.nothing}>{text.picker.noMatch}</p>}
      </div>
    </div>
  );
}

const NO_VARIABLES: readonly Variables[] = [];

type Sought = {
  readonly sources: readonly Source[];
  readonly variables: readonly Variables[];
  readonly wanted: Field | undefined;
  readonly query: string;
  readonly outputOf: (nodeId: string) => unknown;
  readonly text: Text;
};

function found({ sources, variables, wanted, query, outputOf, text }: Sought): Group[] {
  const words = query.toLowerCase();
  const hits = (title: string, { segments }: Row) =>
    words === "" || `${title}.${segments.join(".")}`.toLowerCase().includes(words);
  const groups: readonly Group[] = [
    ...sources.map(({ node, fields, relation }) => ({
      key: `${node.id}-${relation}`,
      title: node.title,
      type: node.type,
      note: relation === "iteration" ? text.picker.iteration : "",
      rows: rowsOf(fields, {
        blockId: node.id,
        // Elements are no outputs: what a composite gave says nothing of one iteration.
        output: relation === "before" || relation === "inner" ? outputOf(node.id) : undefined,
        wanted,
      }).filter((row) => hits(node.title, row)),
    })),
    ...variables.map(({ source, fields }) => {
      const title = text.picker.variables(text.variables[source] ?? "");
      const rows = rowsOf(fields, { variable: source, blockId: "", output: undefined, wanted });
      return {
        key: source,
        title,
        type: undefined,
        note: "",
        rows: rows.filter((row) => hits(title, row)),
      };
    }),
    ...unknownVariables(variables, query.trim(), wanted).map(({ source, fields }) => ({
      key: `${source}-new`,
      title: text.picker.variables(text.variables[source] ?? ""),
      type: undefined,
      note: text.picker.newName,
      rows: rowsOf(fields, { variable: source, blockId: "", output: undefined, wanted }),
    })),
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

type Around = {
  readonly variable?: VariableSource;
  readonly blockId: string;
  readonly output: unknown;
  readonly wanted: Field | undefined;
};

function rowsOf(
  fields: readonly Field[],
  around: Around,
  above: readonly string[] = [],
  isFirst = false,
): Row[] {
  if (above.length >= DEEPEST) return [];
  const { variable, blockId, output, wanted } = around;
  return fields.flatMap((field) => {
    const segments = [...above, field.name];
    const row: Row = {
      key: `${variable ?? blockId}-${segments.join("-")}`,
      variable,
      blockId,
      segments,
      field,
      depth: above.length,
      fit: wanted ? fitOf(field, wanted) : "exact",
      isFirst,
      value: shortText(valueAt(output, segments)),
    };
    const isList = field.type === "list";
    const inside = isList ? field.item : field;
    return [row, ...(inside ? rowsOf(inside.fields, around, segments, isFirst || isList) : [])];
  });
}
