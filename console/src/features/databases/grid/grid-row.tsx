import { Check } from "lucide-react";
import { memo } from "react";
import { classes } from "../../../ui/classes";
import { Skeleton } from "../../../ui/skeleton/skeleton";
import { CellEditor } from "./cell-editor";
import type { GridColumn, Mark } from "./data-grid";
import styles from "./data-grid.module.css";
import type { Draft, Place } from "./use-grid-keys";

/** What can be done with cells. */
export type GridActions = {
  choose: (row: number, isRange: boolean) => void;
  go: (place: Place, isRange: boolean) => void;
  edit: () => void;
  setDraft: (text: string) => void;
  commit: () => void;
};

type Props = {
  row: number;
  top: number;
  isChosen: boolean;
  columns: readonly GridColumn[];
  /** The first column that is there, with the texts and marks of those from it on. */
  from: number;
  texts: readonly (string | undefined)[];
  marks: readonly (Mark | undefined)[];
  /** The first and the last column that are selected. */
  selected: readonly [number, number] | undefined;
  active: { column: number; id: string; draft: Draft | undefined } | undefined;
  actions: GridActions;
};

/** A row of a grid, drawn again when something of it changes and not with each step of scrolling. */
export const GridRow = memo(function GridRow(props: Props) {
  const { row, top, isChosen, columns, from, texts, marks, selected, active, actions } = props;
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isChosen}
      className={classes(styles.row, styles.placed)}
      style={{ transform: `translateY(${top}px)` }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid answers Space */}
      <div
        role="rowheader"
        aria-colindex={1}
        className={styles.number}
        onClick={(event) => actions.choose(row, event.shiftKey)}
      >
        {isChosen ? <Check size={14} /> : row + 1}
      </div>
      {columns.slice(from, from + texts.length).map((column, index) => {
        const at = from + index;
        const mark = marks[index];
        const text = mark?.text ?? texts[index];
        const isActive = active?.column === at;
        return (
          <div
            key={column.key}
            id={isActive ? active.id : undefined}
            role="gridcell"
            aria-colindex={at + 2}
            aria-selected={selected !== undefined && at >= selected[0] && at <= selected[1]}
            aria-invalid={mark?.problem ? true : undefined}
            aria-busy={mark && !mark.problem ? true : undefined}
            title={mark?.problem}
            data-is-active={isActive || undefined}
            className={classes(styles.cell, column.isNumber && styles.right)}
            style={index === 0 ? { gridColumnStart: at + 2 } : undefined}
            onMouseDown={(event) => actions.go({ row, column: at }, event.shiftKey)}
            onDoubleClick={() => actions.edit()}
          >
            {isActive && active.draft ? (
              <CellEditor
                column={column}
                draft={active.draft}
                onChange={actions.setDraft}
                onLeave={actions.commit}
              />
            ) : text === undefined ? (
              <Skeleton width={`${40 + ((row * 17 + at * 29) % 40)}%`} />
            ) : (
              (column.choices?.find(({ value }) => value === text && text !== "")?.label ?? text)
            )}
          </div>
        );
      })}
    </div>
  );
}, isSame);

/** Whether nothing changed; what is in lists and parts is compared one by one. */
function isSame(one: object, other: object): boolean {
  return Object.entries(one).every(([key, value]) => {
    const now: unknown = Reflect.get(other, key);
    return value === now || (isPart(value) && isPart(now) && isEqual(value, now));
  });
}

function isPart(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isEqual(one: object, other: object): boolean {
  const all = Object.entries(one);
  return (
    all.length === Object.keys(other).length &&
    all.every(([key, value]) => value === Reflect.get(other, key))
  );
}
