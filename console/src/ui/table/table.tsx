import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
} from "react";
import { useText } from "../../text/catalogue";
import { classes } from "../classes";
import { Skeleton } from "../skeleton/skeleton";
import { uiText } from "../text";
import { useRowKeys } from "./row-keys";
import { onSelectionKey, type Selection } from "./selection";
import styles from "./table.module.css";

/** Loaded with the first table that lets rows be chosen; most do not. */
const Checkbox = lazy(async () => ({
  default: (await import("../checkbox/checkbox")).Checkbox,
}));

export type Column<T> = {
  key: string;
  label: string;
  /** A track of a CSS grid. */
  width: string;
  /** Numbers stand at the right, under each other. */
  isNumber?: boolean;
  /** Left out where the list is narrower: on tablets or, besides, on phones. */
  leaveOut?: "medium" | "narrow";
  render: (row: T) => ReactNode;
};

type Props<T> = {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** How many there are, loaded or not. */
  total: number;
  keyOf: (row: T) => string;
  /** Shows rows of the right size before the first ones are there. */
  isLoading: boolean;
  hasMore: boolean;
  onMore: () => void;
  /** What stands at the end of each row, in a column of its own. */
  menu?: (row: T) => ReactNode;
  /** Of that column, where words stand in it and not three dots. */
  menuWidth?: string;
  /** Lets rows be chosen; a name for each says which. */
  selection?: Selection;
  nameOf?: (row: T) => string;
  onKey?: (key: string, row: T) => void;
};

const SKELETONS = 8;
const AHEAD = 12;
const MENU_WIDTH = "40px";
const CHOICE_WIDTH = "16px";
const NARROW_WIDTH = "108px";

/** Rows of one kind: virtual, with a header that stays and keys that walk along. */
export function Table<T>(props: Props<T>) {
  const { columns, rows, total, keyOf, isLoading, hasMore, onMore, menu, onKey, selection } = props;
  const text = useText(uiText);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight(),
    overscan: AHEAD,
    getItemKey: (index) => keyAt(rows, index, keyOf),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length * 0.75) onMore();
  }, [hasMore, last, rows.length, onMore]);
  const keys = useRowKeys({ count: rows.length, box, scrollTo: virtual.scrollToIndex });
  function onRowKey(event: KeyboardEvent, row: T): void {
    if (event.target !== event.currentTarget) return;
    if (selection && onSelectionKey(event, keyOf(row), selection)) return;
    onKey?.(event.key, row);
  }
  return (
    <div
      ref={box}
      role="grid"
      aria-label={props.label}
      aria-rowcount={total + 1}
      aria-busy={isLoading}
      aria-multiselectable={selection ? true : undefined}
      style={tracks(columns, menu && (props.menuWidth ?? MENU_WIDTH), selection !== undefined)}
      className={styles.table}
      onKeyDown={keys.onKeyDown}
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" aria-rowindex={1} className={styles.row}>
          {selection && (
            <div role="columnheader" className={styles.choice}>
              <Suspense>
                <Checkbox
                  label={text.selectAll}
                  isLabelHidden
                  isChecked={rows.length > 0 && selection.chosen.size === rows.length}
                  isMixed={selection.chosen.size > 0 && selection.chosen.size < rows.length}
                  onChange={selection.setAll}
                />
              </Suspense>
            </div>
          )}
          {columns.map((column) => (
            <div
              key={column.key}
              role="columnheader"
              data-leave-out={column.leaveOut}
              className={classes(styles.label, column.isNumber && styles.number)}
            >
              {column.label}
            </div>
          ))}
          {menu && (
            <div role="columnheader">
              <span className={styles.unseen}>{text.more}</span>
            </div>
          )}
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <div
              key={item.key}
              role="row"
              data-index={item.index}
              aria-rowindex={item.index + 2}
              tabIndex={item.index === keys.active ? 0 : -1}
              onFocus={() => keys.setActive(item.index)}
              onKeyDown={(event) => onRowKey(event, row)}
              className={classes(styles.row, styles.placed)}
              aria-selected={selection ? selection.chosen.has(keyOf(row)) : undefined}
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
            >
              {selection && (
                <div role="gridcell" className={styles.choice}>
                  <Suspense>
                    <Checkbox
                      label={text.select(props.nameOf?.(row) ?? keyOf(row))}
                      isLabelHidden
                      isChecked={selection.chosen.has(keyOf(row))}
                      onChange={(_, isShifted) => selection.toggle(keyOf(row), isShifted)}
                    />
                  </Suspense>
                </div>
              )}
              {columns.map((column) => (
                <div
                  key={column.key}
                  role="gridcell"
                  data-leave-out={column.leaveOut}
                  className={classes(styles.cell, column.isNumber && styles.number)}
                >
                  {column.render(row)}
                </div>
              ))}
              {menu && (
                <div role="gridcell" className={styles.menu}>
                  {menu(row)}
                </div>
              )}
            </div>
          );
        })}
      </div>
      {isLoading && (
        <Bones columns={columns} hasMenu={menu !== undefined} hasChoice={selection !== undefined} />
      )}
    </div>
  );
}

type BonesProps<T> = { columns: readonly Column<T>[]; hasMenu: boolean; hasChoice: boolean };

function Bones<T>({ columns, hasMenu, hasChoice }: BonesProps<T>) {
  return Array.from({ length: SKELETONS }, (_, index) => index).map((index) => (
    <div key={index} aria-hidden="true" className={classes(styles.row, styles.bone)}>
      {hasChoice && <div />}
      {columns.map((column) => (
        <div key={column.key} data-leave-out={column.leaveOut} className={styles.cell}>
          <Skeleton width={`${40 + ((index * 17 + column.key.length * 11) % 40)}%`} />
        </div>
      ))}
      {hasMenu && <div />}
    </div>
  ));
}

function keyAt<T>(rows: readonly T[], index: number, keyOf: (row: T) => string): string | number {
  const row = rows[index];
  return row === undefined ? index : keyOf(row);
}

/** The height of a row as the tokens have it: by density, and by what points at it. */
function rowHeight(): number {
  const value = getComputedStyle(document.documentElement).getPropertyValue("--row");
  return Number.parseInt(value, 10) || 44;
}

function tracks<T>(
  columns: readonly Column<T>[],
  menuWidth: string | undefined,
  hasChoice: boolean,
): CSSProperties {
  const joined = (kept: readonly Column<T>[]) =>
    [
      ...(hasChoice ? [CHOICE_WIDTH] : []),
      ...kept.map((column) => column.width),
      ...(menuWidth ? [menuWidth] : []),
    ].join(" ");
  const squeezed = (column: Column<T>, index: number) => ({
    ...column,
    width: index === 0 ? "minmax(0, 1fr)" : `minmax(0, ${NARROW_WIDTH})`,
  });
  const medium = columns.filter((column) => column.leaveOut !== "medium");
  const narrow = medium.filter((column) => column.leaveOut !== "narrow");
  const properties: Record<`--${string}`, string> = {
    "--wide": joined(columns),
    "--medium": joined(medium),
    "--narrow": joined(narrow.map(squeezed)),
  };
  return properties;
}
