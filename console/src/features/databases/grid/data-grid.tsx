import { useVirtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type PointerEvent, useEffect, useId, useMemo, useRef } from "react";
import { classes } from "../../../ui/classes";
import { useKeyedPart } from "../../../ui/page/keyed-parts";
import styles from "./data-grid.module.css";
import { GridHeader } from "./grid-header";
import { type GridActions, GridRow } from "./grid-row";
import { useCarriedColumn } from "./use-carried-column";
import { COLUMN_PX, NUMBER_PX, useColumnsInSight } from "./use-columns-in-sight";
import { type Place, useGridKeys } from "./use-grid-keys";

const ROW_PX = 32;
const AHEAD = 10;

export type GridColumn = {
  key: string;
  label: string;
  /** Said after the name in small type. */
  note?: string;
  isNumber?: boolean;
  isReadOnly?: boolean;
  isDate?: boolean;
  /** All that a cell may hold, with the words for it. */
  choices?: readonly { value: string; label: string }[];
};

/** What becomes of a cell: on its way, or refused with a reason. */
export type Mark = { text: string; problem?: string };

type Props = {
  label: string;
  columns: readonly GridColumn[];
  /** Of columns that somebody sized; the others share the room. */
  widths: readonly (number | undefined)[];
  onResize: (key: string, width: number | undefined) => void;
  resizeLabel: (name: string) => string;
  /** Takes a column to where another one stands. */
  onMove: (key: string, to: number) => void;
  count: number;
  /** The cell as a text; nothing while the row is on its way. */
  textAt: (row: number, column: number) => string | undefined;
  idAt: (row: number) => string | undefined;
  markAt: (row: number, column: number) => Mark | undefined;
  onVisible: (from: number, to: number) => void;
  sort: { key: string; isAscending: boolean } | undefined;
  onSort: (key: string) => void;
  sortLabel: (name: string) => string;
  chosen: ReadonlySet<string>;
  onChoose: (row: number, isRange: boolean) => void;
  canWrite: boolean;
  onEdit: (row: number, column: number, text: string) => void;
  onPaste: (text: string) => void;
  onDelete: () => void;
};

/** Cells as in a spreadsheet: virtual rows, walked and edited by keys. */
export function DataGrid(props: Props) {
  const { columns, widths, count, textAt, idAt, markAt, onVisible, chosen, canWrite } = props;
  const name = useId();
  useKeyedPart("cells");
  const box = useRef<HTMLDivElement>(null);
  // Before the rows: what it reads would be laid out anew once they are drawn.
  const sight = useColumnsInSight(box, widths);
  const carried = useCarriedColumn(columns, sight.edgeNear, props.onMove);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: AHEAD,
    initialRect: { width: 800, height: 600 },
    paddingStart: ROW_PX,
    scrollPaddingStart: ROW_PX,
  });
  const items = virtual.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = items.at(-1)?.index ?? 0;
  useEffect(() => onVisible(from, to), [onVisible, from, to]);
  const keys = useGridKeys({
    ...props,
    rows: count,
    scrollTo: ({ row, column }) => {
      virtual.scrollToIndex(row);
      sight.show(column);
    },
    focus: () => box.current?.focus({ preventScroll: true }),
  });
  const latest = useRef({ keys, onChoose: props.onChoose });
  useEffect(() => {
    latest.current = { keys, onChoose: props.onChoose };
  });
  // The same all the time, or each row would be drawn again with each step.
  const actions = useMemo<GridActions>(
    () => ({
      choose: (row, isRange) => latest.current.onChoose(row, isRange),
      go: (place, isRange) => latest.current.keys.go(place, isRange),
      edit: () => latest.current.keys.edit(),
      setDraft: (draft) => latest.current.keys.setDraft(draft),
      commit: () => latest.current.keys.commit(),
    }),
    [],
  );
  const shown = columns.slice(sight.from, sight.to + 1);
  const cellId = ({ row, column }: Place) => `${name}-${row}-${column}`;
  const tracks = widths.map((width) => (width ? `${width}px` : `minmax(${COLUMN_PX}px, 1fr)`));
  const least = widths.reduce<number>((sum, width) => sum + (width ?? COLUMN_PX), NUMBER_PX);
  const frame: CSSProperties & Record<"--tracks", string> = {
    "--tracks": `${NUMBER_PX}px ${tracks.join(" ")}`,
    minWidth: least,
    height: virtual.getTotalSize(),
  };
  return (
    <div
      ref={box}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-readonly={!canWrite}
      aria-activedescendant={count > 0 ? cellId(keys.active) : undefined}
      className={styles.grid}
      onKeyDown={keys.onKeyDown}
      onCopy={keys.onCopy}
      onPaste={keys.onPaste}
      onPointerOver={tellWhole}
    >
      <div role="presentation" className={styles.frame} style={frame}>
        <div role="row" aria-rowindex={1} className={classes(styles.row, styles.head)}>
          <div role="columnheader" aria-colindex={1} className={styles.number}>
            #
          </div>
          {columns.map((column, index) => (
            <GridHeader
              key={column.key}
              column={column}
              index={index}
              width={widths[index]}
              sort={props.sort}
              label={props.sortLabel(column.label)}
              resizeLabel={props.resizeLabel(column.label)}
              onSort={props.onSort}
              onResize={props.onResize}
              carrying={carried.handlers}
            />
          ))}
          {carried.left !== undefined && (
            <span className={styles.edge} style={{ left: carried.left }} />
          )}
        </div>
        {items.map((item) => {
          const row = item.index;
          const id = idAt(row);
          return (
            <GridRow
              key={row}
              row={row}
              top={item.start}
              isChosen={id !== undefined && chosen.has(id)}
              columns={columns}
              from={sight.from}
              texts={shown.map((_, index) => textAt(row, sight.from + index))}
              marks={shown.map((_, index) => markAt(row, sight.from + index))}
              selected={keys.selectedIn(row)}
              active={
                keys.active.row === row
                  ? { column: keys.active.column, id: cellId(keys.active), draft: keys.draft }
                  : undefined
              }
              actions={actions}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Says the whole text of a cell that it is cut in, once somebody points at it. */
function tellWhole({ target }: PointerEvent): void {
  if (!(target instanceof HTMLElement) || target.role !== "gridcell" || target.ariaInvalid) return;
  if (target.scrollWidth > target.clientWidth) target.title = target.textContent;
  else target.removeAttribute("title");
}
