import { ArrowDown, ArrowUp } from "lucide-react";
import { memo, useRef } from "react";
import { classes } from "../../../ui/classes";
import { Resizer } from "../../../ui/splitter/resizer";
import type { GridColumn } from "./data-grid";
import styles from "./data-grid.module.css";
import type { useCarriedColumn } from "./use-carried-column";
import { LEAST_PX, MOST_PX } from "./use-columns-in-sight";

type Props = {
  column: GridColumn;
  index: number;
  width: number | undefined;
  sort: { key: string; isAscending: boolean } | undefined;
  label: string;
  resizeLabel: string;
  onSort: (key: string) => void;
  onResize: (key: string, width: number | undefined) => void;
  carrying: ReturnType<typeof useCarriedColumn>["handlers"];
};

/** The name of a column: a click sorts by it, dragged it goes elsewhere, its edge makes it wider. */
export const GridHeader = memo(function GridHeader(props: Props) {
  const { column, index, width, sort, label, onSort, onResize, carrying } = props;
  const box = useRef<HTMLDivElement>(null);
  const isSorted = sort?.key === column.key;
  const direction = sort?.isAscending ? "ascending" : "descending";
  return (
    <div
      ref={box}
      role="columnheader"
      aria-colindex={index + 2}
      aria-sort={isSorted ? direction : "none"}
      className={classes(styles.header, column.isNumber && styles.right)}
    >
      <button
        type="button"
        aria-label={label}
        className={styles.sort}
        onClick={() => carrying.isOver() && onSort(column.key)}
        onPointerDown={(event) => carrying.take(index, event)}
        onPointerMove={carrying.carry}
        onPointerUp={carrying.put}
        onPointerCancel={carrying.drop}
      >
        <span className={styles.name}>{column.label}</span>
        {column.note && <span className={styles.note}>{column.note}</span>}
        {isSorted && (sort?.isAscending ? <ArrowUp size={12} /> : <ArrowDown size={12} />)}
      </button>
      <span className={styles.resizer}>
        <Resizer
          label={props.resizeLabel}
          value={width ?? 0}
          startAt={() => box.current?.offsetWidth ?? LEAST_PX}
          min={LEAST_PX}
          max={MOST_PX}
          isForPointers
          onChange={(next) => onResize(column.key, Math.round(next))}
          onReset={() => onResize(column.key, undefined)}
        />
      </span>
    </div>
  );
});
