import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronRight, ChevronUp } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useText } from "../../text/catalogue";
import { IconButton } from "../button/icon-button";
import { classes } from "../classes";
import { CopyButton } from "../copy/copy-button";
import { uiText } from "../text";
import { SearchField } from "../text-field/search-field";
import styles from "./json-view.module.css";
import { above, firstOpen, type JsonRow, jsonHits, jsonRows } from "./rows";

const ROW_PX = 22;
const EDGE_PX = 8;
/** From here on a value has a search of its own. */
const SEARCHED_FROM = 12;

type Props = {
  label: string;
  value: unknown;
  /** Highest that it becomes before it scrolls. */
  maxHeight?: number;
};

/** A value as a tree that folds; as quick for five megabytes as for five lines. */
export function JsonView({ label, value, maxHeight = 360 }: Props) {
  const text = useText(uiText);
  const frame = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(() => firstOpen(value));
  const [query, setQuery] = useState("");
  const [hit, setHit] = useState(0);
  const [at, setAt] = useState<string>();
  const rows = useMemo(() => jsonRows(value, open), [value, open]);
  const hits = useMemo(() => jsonHits(value, query), [value, query]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialRect: { width: 400, height: maxHeight },
    paddingStart: EDGE_PX,
    paddingEnd: EDGE_PX,
  });
  function toggle(row: JsonRow, isOpen: boolean): void {
    const next = new Set(open);
    if (isOpen) next.add(row.path);
    else next.delete(row.path);
    setOpen(next);
  }
  function find(typed: string): void {
    setQuery(typed);
    show(jsonHits(value, typed), 0);
  }
  function show(paths: readonly string[], index: number): void {
    const path = paths.at(index % Math.max(paths.length, 1));
    setHit(index);
    if (path === undefined) return;
    const next = new Set([...open, ...above(path)]);
    setOpen(next);
    setAt(path);
    const line = jsonRows(value, next).findIndex((row) => row.path === path);
    requestAnimationFrame(() => virtual.scrollToIndex(Math.max(line, 0), { align: "center" }));
  }
  function onKeyDown(event: KeyboardEvent): void {
    const index = Math.max(
      rows.findIndex((row) => row.path === at),
      0,
    );
    const row = rows[index];
    const step = new Map([
      ["ArrowDown", 1],
      ["ArrowUp", -1],
    ]).get(event.key);
    if (step) {
      const next = rows[Math.min(rows.length - 1, Math.max(0, index + step))];
      if (next) setAt(next.path);
      virtual.scrollToIndex(index + step);
    } else if (row && event.key === "ArrowRight") toggle(row, true);
    else if (row && event.key === "ArrowLeft") toggle(row, false);
    else return;
    event.preventDefault();
  }
  const lines = virtual.getVirtualItems();
  return (
    <div className={styles.view}>
      {(rows.length > SEARCHED_FROM || query) && (
        <div className={styles.search}>
          <SearchField label={text.searchIn(label)} value={query} onChange={find} />
          {query && (
            <>
              <span className={styles.count}>{text.hits(hits.length)}</span>
              <IconButton
                size="compact"
                label={text.previousHit}
                icon={<ChevronUp size={14} />}
                onClick={() => show(hits, (hit - 1 + hits.length) % Math.max(hits.length, 1))}
              />
              <IconButton
                size="compact"
                label={text.nextHit}
                icon={<ChevronDown size={14} />}
                onClick={() => show(hits, (hit + 1) % Math.max(hits.length, 1))}
              />
            </>
          )}
        </div>
      )}
      <div
        ref={frame}
        role="tree"
        tabIndex={0}
        aria-label={label}
        className={styles.frame}
        style={{ maxHeight }}
        onKeyDown={onKeyDown}
      >
        <div className={styles.lines} style={{ height: virtual.getTotalSize() }}>
          {lines.map((line) => {
            const row = rows[line.index];
            return (
              row && (
                <Line
                  key={row.path}
                  row={row}
                  top={line.start}
                  isCurrent={row.path === at}
                  onToggle={() => toggle(row, !row.isOpen)}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

type LineProps = { row: JsonRow; top: number; isCurrent: boolean; onToggle: () => void };

function Line({ row, top, isCurrent, onToggle }: LineProps) {
  const text = useText(uiText);
  const isFold = row.size !== undefined;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and says which line
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree answers the keys
    <div
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isCurrent}
      {...(isFold ? { "aria-expanded": row.isOpen } : {})}
      className={classes(styles.line, isCurrent && styles.current)}
      style={{ transform: `translateY(${top}px)`, paddingLeft: 4 + row.depth * 14 }}
      onClick={isFold ? onToggle : undefined}
    >
      <span className={styles.fold}>
        {isFold && <ChevronRight size={12} data-is-open={row.isOpen || undefined} />}
      </span>
      {row.name !== undefined && <span className={styles.name}>{row.name}</span>}
      {isFold ? (
        <span className={styles.size}>
          {Array.isArray(row.value)
            ? text.itemCount(row.size ?? 0)
            : text.fieldCount(row.size ?? 0)}
        </span>
      ) : (
        <span className={styles[kindOf(row.value)]}>{JSON.stringify(row.value) ?? ""}</span>
      )}
      <span className={styles.tools}>
        <CopyButton kind="quiet" label={text.copyPath} value={row.path || "/"} />
      </span>
    </div>
  );
}

function kindOf(value: unknown): "text" | "number" | "other" {
  if (typeof value === "string") return "text";
  return typeof value === "number" ? "number" : "other";
}
