import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp, Check } from "lucide-react";
import { type CSSProperties, useEffect, useId, useRef } from "react";
import { classes } from "../../../ui/classes";
import { Skeleton } from "../../../ui/skeleton/skeleton";
import styles from "./data-grid.module.css";
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
};

/** What becomes of a cell: on its way, or refused with a reason. */
export type Mark = { text: string; problem?: string };

type Props = {
  label: string;
  columns: readonly GridColumn[];
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
  const { columns, count, textAt, idAt, markAt, onVisible, sort, chosen, canWrite } = props;
  const name = useId();
  const box = useRef<HTMLDivElement>(null);
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
    scrollTo: (row) => virtual.scrollToIndex(row),
    focus: () => box.current?.focus({ preventScroll: true }),
  });
  const cellId = ({ row, column }: Place) => `${name}-${row}-${column}`;
  const tracks = columns.map(() => "minmax(152px, 1fr)").join(" ");
  const frame: CSSProperties & Record<"--tracks", string> = {
    "--tracks": `56px ${tracks}`,
    minWidth: 56 + columns.length * 152,
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
    >
      <div role="presentation" className={styles.frame} style={frame}>
        <div role="row" aria-rowindex={1} className={classes(styles.row, styles.head)}>
          <div role="columnheader" aria-colindex={1} className={styles.number}>
            #
          </div>
          {columns.map((column, index) => (
            <Header
              key={column.key}
              column={column}
              index={index}
              sort={sort}
              label={props.sortLabel(column.label)}
              onSort={props.onSort}
            />
          ))}
        </div>
        {items.map((item) => {
          const row = item.index;
          const id = idAt(row);
          const isChosen = id !== undefined && chosen.has(id);
          return (
            <div
              key={row}
              role="row"
              aria-rowindex={row + 2}
              aria-selected={isChosen}
              className={classes(styles.row, styles.placed)}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid answers Space */}
              <div
                role="rowheader"
                aria-colindex={1}
                className={styles.number}
                onClick={(event) => props.onChoose(row, event.shiftKey)}
              >
                {isChosen ? <Check size={14} /> : row + 1}
              </div>
              {columns.map((column, index) => {
                const place = { row, column: index };
                const mark = markAt(row, index);
                const text = mark?.text ?? textAt(row, index);
                const isActive = keys.active.row === row && keys.active.column === index;
                return (
                  <div
                    key={column.key}
                    id={cellId(place)}
                    role="gridcell"
                    aria-colindex={index + 2}
                    aria-selected={keys.isSelected(place)}
                    aria-invalid={mark?.problem ? true : undefined}
                    aria-busy={mark && !mark.problem ? true : undefined}
                    title={mark?.problem ?? text}
                    data-is-active={isActive || undefined}
                    className={classes(styles.cell, column.isNumber && styles.right)}
                    onMouseDown={(event) => keys.go(place, event.shiftKey)}
                    onDoubleClick={() => keys.edit()}
                  >
                    {isActive && keys.draft !== undefined ? (
                      <input
                        // biome-ignore lint/a11y/noAutofocus: the cell was opened to be typed into
                        autoFocus
                        aria-label={column.label}
                        value={keys.draft}
                        onChange={(event) => keys.setDraft(event.target.value)}
                        onBlur={() => keys.commit()}
                        className={styles.input}
                      />
                    ) : text === undefined ? (
                      <Skeleton width={`${40 + ((row * 17 + index * 29) % 40)}%`} />
                    ) : (
                      text
                    )}
                  </div>
                );
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}

type HeaderProps = {
  column: GridColumn;
  index: number;
  sort: Props["sort"];
  label: string;
  onSort: (key: string) => void;
};

function Header({ column, index, sort, label, onSort }: HeaderProps) {
  const isSorted = sort?.key === column.key;
  const direction = sort?.isAscending ? "ascending" : "descending";
  return (
    <div
      role="columnheader"
      aria-colindex={index + 2}
      aria-sort={isSorted ? direction : "none"}
      className={classes(styles.header, column.isNumber && styles.right)}
    >
      <button
        type="button"
        aria-label={label}
        className={styles.sort}
        onClick={() => onSort(column.key)}
      >
        <span className={styles.name}>{column.label}</span>
        {column.note && <span className={styles.note}>{column.note}</span>}
        {isSorted && (sort?.isAscending ? <ArrowUp size={12} /> : <ArrowDown size={12} />)}
      </button>
    </div>
  );
}
