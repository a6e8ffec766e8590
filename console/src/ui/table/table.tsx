import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { useText } from "../../text/catalogue";
import { classes } from "../classes";
import { useKeyedPart } from "../page/keyed-parts";
import { Skeleton } from "../skeleton/skeleton";
import { uiText } from "../text";
import unseen from "../unseen.module.css";
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
  /** Left out where a list is narrower: with the rail at its side, in small windows, on tablets, on phones. */
  leaveOut?: "huge" | "large" | "medium" | "narrow";
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
  const { columns, rows, total, keyOf, isLoading, hasMore, onMore, menu, selection } = props;
  const text = useText(uiText);
  useKeyedPart("list");
  const box = useRef<HTMLDivElement>(null);
  const [height] = useState(rowHeight);
  // Drawn again when something of it changes, and not with each step of scrolling.
  const [Row] = useState(() => memo(RowView<T>));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: AHEAD,
    // The same while the rows are: with another one all of them would be placed anew at each step.
    getItemKey: useKeyAt(rows, keyOf),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length * 0.75) onMore();
  }, [hasMore, last, rows.length, onMore]);
  const keys = useRowKeys({ count: rows.length, box, scrollTo: virtual.scrollToIndex });
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const choose = useCallback((row: T, isRange: boolean) => {
    const { selection: now, keyOf: of } = latest.current;
    now?.toggle(of(row), isRange);
  }, []);
  const onRowKey = useCallback((event: KeyboardEvent, row: T) => {
    const now = latest.current;
    if (event.target !== event.currentTarget) return;
    if (now.selection && onSelectionKey(event, now.keyOf(row), now.selection)) return;
    now.onKey?.(event.key, row);
  }, []);
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
              <span className={unseen.unseen}>{text.more}</span>
            </div>
          )}
        </div>
      </div>
      <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const key = keyOf(row);
          return (
            <Row
              key={item.key}
              row={row}
              index={item.index}
              name={selection && (props.nameOf?.(row) ?? key)}
              isActive={item.index === keys.active}
              isChosen={selection?.chosen.has(key)}
              columns={columns}
              menu={menu}
              height={item.size}
              top={item.start}
              onActive={keys.setActive}
              onKey={onRowKey}
              onChoose={choose}
            />
          );
        })}
      </div>
      {isLoading && (
        <Bones columns={columns} hasMenu={menu !== undefined} hasChoice={selection !== undefined} />
      )}
    </div>
  );
}

type RowProps<T> = Pick<Props<T>, "columns"> & {
  menu: Props<T>["menu"] | undefined;
  row: T;
  index: number;
  /** What is chosen with it; nothing where rows cannot be chosen. */
  name: string | undefined;
  isActive: boolean;
  isChosen: boolean | undefined;
  height: number;
  top: number;
  onActive: (index: number) => void;
  onKey: (event: KeyboardEvent, row: T) => void;
  onChoose: (row: T, isRange: boolean) => void;
};

function RowView<T>(props: RowProps<T>) {
  const { row, index, name, isActive, isChosen, columns, menu, height, top } = props;
  const text = useText(uiText);
  return (
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      tabIndex={isActive ? 0 : -1}
      onFocus={() => props.onActive(index)}
      onKeyDown={(event) => props.onKey(event, row)}
      className={classes(styles.row, styles.placed)}
      aria-selected={isChosen}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      {name !== undefined && (
        <div role="gridcell" className={styles.choice}>
          <Suspense>
            <Checkbox
              label={text.select(name)}
              isLabelHidden
              isChecked={isChosen ?? false}
              onChange={(_, isShifted) => props.onChoose(row, isShifted)}
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

/** The key of a row by its place. How keys are made is the same for the life of a list. */
function useKeyAt<T>(rows: readonly T[], keyOf: (row: T) => string) {
  const of = useRef(keyOf);
  return useCallback(
    (index: number) => {
      const row = rows[index];
      return row === undefined ? index : of.current(row);
    },
    [rows],
  );
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
  const huge = columns.filter((column) => column.leaveOut !== "huge");
  const large = huge.filter((column) => column.leaveOut !== "large");
  const medium = large.filter((column) => column.leaveOut !== "medium");
  const narrow = medium.filter((column) => column.leaveOut !== "narrow");
  const properties: Record<`--${string}`, string> = {
    "--wide": joined(columns),
    "--huge": joined(huge),
    "--large": joined(large),
    "--medium": joined(medium),
    "--narrow": joined(narrow.map(squeezed)),
  };
  return properties;
}
