import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight, Maximize, Minus, Plus, Timer, TriangleAlert } from "lucide-react";
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useText } from "../text/catalogue";
import { formatCompact, formatDuration } from "../text/formats";
import { IconButton } from "../ui/button/icon-button";
import { classes } from "../ui/classes";
import { useKeyedPart } from "../ui/page/keyed-parts";
import { uiText } from "../ui/text";
import { SearchField } from "../ui/text-field/search-field";
import { toast } from "../ui/toast/toasts";
import { traceBodyText } from "./body-text";
import { formatPoints } from "./figures";
import { KindSign, toneOf } from "./kind-sign";
import {
  type Branch,
  criticalPath,
  firstFolded,
  firstTokenPlace,
  placeOf,
  rowsOf,
  type Span,
  type Stretch,
  slowFrom,
  stretchOf,
  ticksOf,
  treeOf,
  wholeOf,
  zoomed,
} from "./layout";
import styles from "./waterfall.module.css";

const ROW_PX = 30;
const AHEAD = 16;
const CLOSER = 0.5;
const FURTHER = 2;
/** Shorter than this the pointer has pressed, not drawn. */
const LEAST_DRAWN = 0.01;
/** A time that begins later than this many percent has no room for its words. */
const LAST_LABEL = 88;
/** Narrower than this many percent, a bar is its own mark. */
const MARKED_FROM = 2;

type Props = {
  spans: readonly Span[];
  chosenId: string | undefined;
  onChoose: (id: string) => void;
  /** Asked for the prompt of the step, or of the next one that has one. */
  onPrompt?: (id: string) => void;
};

/** The steps of a run below each other, each with a bar where its time is. */
export function Waterfall({ spans, chosenId, onChoose, onPrompt }: Props) {
  const text = useText(traceBodyText);
  const { idCopied } = useText(uiText);
  useKeyedPart("steps");
  const tree = useMemo(() => treeOf(spans), [spans]);
  const critical = useMemo(() => criticalPath(tree), [tree]);
  const whole = useMemo(() => wholeOf(spans), [spans]);
  const [folded, setFolded] = useState(() => firstFolded(tree));
  const [query, setQuery] = useState("");
  const [onlyErrors, setOnlyErrors] = useState(false);
  const [onlySlow, setOnlySlow] = useState(false);
  const [view, setView] = useState<Stretch>();
  const seen = view ?? whole;
  const rows = useMemo(
    () =>
      rowsOf(tree, {
        folded,
        query,
        onlyErrors,
        slowFromUs: onlySlow ? slowFrom(whole) : undefined,
      }),
    [tree, folded, query, onlyErrors, onlySlow, whole],
  );
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: AHEAD,
    getItemKey: (index) => rows[index]?.span.id ?? index,
  });
  const chosen = rows.findIndex((row) => row.span.id === chosenId);
  const active = Math.max(chosen, 0);
  const wanted = useRef(false);
  useEffect(() => {
    if (!wanted.current) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    if (!row) return;
    wanted.current = false;
    row.focus({ preventScroll: true });
  });
  const hasError = tree.some((branch) => branch.hasError);
  const hasCost = spans.some((span) => Number(span.cost) > 0);
  const fold = useCallback(
    (id: string, isFolded: boolean) =>
      setFolded((before) => {
        const next = new Set(before);
        if (isFolded) next.add(id);
        else next.delete(id);
        return next;
      }),
    [],
  );
  function go(index: number): void {
    const target = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (!target) return;
    wanted.current = true;
    virtual.scrollToIndex(rows.indexOf(target));
    onChoose(target.span.id);
  }
  function zoom(factor: number): void {
    const next = zoomed(seen, whole, factor);
    setView(next.from === whole.from && next.to === whole.to ? undefined : next);
  }
  function showPrompt(from: number): void {
    const at = [...rows.slice(from), ...rows.slice(0, from)].find(isCall);
    if (at) onPrompt?.(at.span.id);
  }
  function copyId(id: string): void {
    void navigator.clipboard.writeText(id).then(() => toast(idCopied));
  }
  function onKeyDown(event: KeyboardEvent): void {
    const row = rows[active];
    if (!row || event.metaKey || event.ctrlKey || event.altKey) return;
    const above = rows.findLastIndex((each, at) => at < active && each.depth < row.depth);
    const isOpen = row.below.length > 0 && !folded.has(row.span.id);
    const actions = new Map([
      ["ArrowDown", () => go(active + 1)],
      ["j", () => go(active + 1)],
      ["ArrowUp", () => go(active - 1)],
      ["k", () => go(active - 1)],
      ["Home", () => go(0)],
      ["End", () => go(rows.length - 1)],
      ["ArrowRight", () => (isOpen ? go(active + 1) : fold(row.span.id, false))],
      ["ArrowLeft", () => (isOpen ? fold(row.span.id, true) : go(above))],
      ["+", () => zoom(CLOSER)],
      ["=", () => zoom(CLOSER)],
      ["-", () => zoom(FURTHER)],
      ["0", () => setView(undefined)],
      ["p", () => showPrompt(active)],
      ["c", () => copyId(row.span.run_id)],
    ]);
    const action = actions.get(event.key);
    if (!action) return;
    action();
    event.preventDefault();
  }
  return (
    <div className={styles.waterfall}>
      <search className={styles.tools}>
        <SearchField label={text.search} value={query} onChange={setQuery} />
        <span className={styles.zoom}>
          <IconButton
            size="compact"
            label={text.onlySlow}
            aria-pressed={onlySlow}
            icon={<Timer size={14} />}
            onClick={() => setOnlySlow(!onlySlow)}
          />
          {hasError && (
            <IconButton
              size="compact"
              label={text.onlyErrors}
              aria-pressed={onlyErrors}
              icon={<TriangleAlert size={14} />}
              onClick={() => setOnlyErrors(!onlyErrors)}
            />
          )}
          <IconButton
            size="compact"
            label={text.zoomOut}
            shortcut="-"
            disabled={view === undefined}
            icon={<Minus size={14} />}
            onClick={() => zoom(FURTHER)}
          />
          <IconButton
            size="compact"
            label={text.zoomIn}
            shortcut="+"
            icon={<Plus size={14} />}
            onClick={() => zoom(CLOSER)}
          />
          <IconButton
            size="compact"
            label={text.zoomAll}
            shortcut="0"
            disabled={view === undefined}
            icon={<Maximize size={14} />}
            onClick={() => setView(undefined)}
          />
        </span>
      </search>
      <div
        ref={box}
        role="treegrid"
        aria-label={text.waterfall}
        aria-rowcount={rows.length + 1}
        className={classes(styles.table, hasCost && styles.withCost)}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={styles.head}>
          <div role="row" aria-rowindex={1} className={styles.row}>
            <span role="columnheader">{text.columns.name}</span>
            <Axis seen={seen} label={text.columns.time} onDraw={setView} />
            <span role="columnheader" className={styles.number}>
              {text.columns.duration}
            </span>
            <span role="columnheader" className={classes(styles.number, styles.tokens)}>
              {text.columns.tokens}
            </span>
            {hasCost && (
              <span role="columnheader" className={classes(styles.number, styles.cost)}>
                {text.columns.cost}
              </span>
            )}
          </div>
        </div>
        <div role="rowgroup" className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index];
            return (
              row && (
                <Row
                  key={item.key}
                  row={row}
                  index={item.index}
                  top={item.start}
                  seen={seen}
                  isChosen={row.span.id === chosenId}
                  isReachable={item.index === active}
                  isFolded={folded.has(row.span.id) && query === "" && !onlyErrors && !onlySlow}
                  isCritical={critical.has(row.span.id)}
                  hasCost={hasCost}
                  onChoose={onChoose}
                  onFold={fold}
                />
              )
            );
          })}
        </div>
        {rows.length === 0 && <p className={styles.nothing}>{text.nothing}</p>}
      </div>
    </div>
  );
}

/** Whether it is a call of a model, which has a prompt. */
function isCall({ span }: Branch): boolean {
  return span.kind === "model";
}

type RowProps = {
  row: Branch;
  index: number;
  top: number;
  seen: Stretch;
  isChosen: boolean;
  isReachable: boolean;
  isFolded: boolean;
  isCritical: boolean;
  hasCost: boolean;
  onChoose: (id: string) => void;
  onFold: (id: string, isFolded: boolean) => void;
};

/** Drawn again only when something of it changes: scrolling past thousands of them is cheap. */
const Row = memo(function Row(props: RowProps) {
  const { row, seen, isChosen, isFolded, isCritical, onChoose, onFold } = props;
  const { span, depth, below, isRepeated } = row;
  const text = useText(traceBodyText);
  const took = formatDuration(span.duration_us / 1000);
  const place = placeOf(stretchOf(span), seen);
  const first = (place?.width ?? 0) < MARKED_FROM ? undefined : firstTokenPlace(span, seen);
  const state = text.statuses[span.status] ?? span.status;
  const kind = text.kinds[span.kind] ?? span.kind;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid answers the keys
    <div
      role="row"
      data-index={props.index}
      aria-rowindex={props.index + 2}
      aria-level={depth + 1}
      aria-selected={isChosen}
      {...(below.length > 0 ? { "aria-expanded": !isFolded } : {})}
      aria-label={text.row(kind, span.name, state, took)}
      tabIndex={props.isReachable ? 0 : -1}
      className={classes(styles.row, styles.placed)}
      style={{ transform: `translateY(${props.top}px)` }}
      onClick={() => onChoose(span.id)}
    >
      <span role="gridcell" className={styles.name} style={{ paddingLeft: depth * 14 }}>
        {below.length > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            aria-label={isFolded ? text.unfold : text.fold}
            className={classes(styles.fold, !isFolded && styles.open)}
            onClick={(event) => {
              event.stopPropagation();
              onFold(span.id, !isFolded);
            }}
          >
            <ChevronRight size={12} />
          </button>
        ) : (
          <span className={styles.fold} />
        )}
        <KindSign kind={span.kind} />
        <span className={styles.words}>{span.name}</span>
        {span.status === "error" && (
          <TriangleAlert size={12} className={styles.failed} aria-label={state} />
        )}
      </span>
      <span role="gridcell" className={styles.lane} title={isCritical ? text.critical : undefined}>
        {place && (
          <span
            data-left={place.left}
            data-width={place.width}
            className={classes(
              styles.bar,
              toneOf(span.kind),
              isRepeated && styles.repeated,
              span.status === "error" && styles.wrong,
              !isCritical && styles.aside,
            )}
            style={{ left: `${place.left}%`, width: `${place.width}%` }}
          />
        )}
        {first !== undefined && <span className={styles.first} style={{ left: `${first}%` }} />}
      </span>
      <span role="gridcell" className={styles.number}>
        {took}
      </span>
      <span role="gridcell" className={classes(styles.number, styles.tokens)}>
        {span.usage && formatCompact(span.usage.input_tokens + span.usage.output_tokens)}
      </span>
      {props.hasCost && (
        <span role="gridcell" className={classes(styles.number, styles.cost)}>
          {Number(span.cost) > 0 && formatPoints(span.cost)}
        </span>
      )}
    </div>
  );
});

type AxisProps = { seen: Stretch; label: string; onDraw: (view: Stretch) => void };

/** Round times over the bars; drawing over them shows that part alone. */
function Axis({ seen, label, onDraw }: AxisProps) {
  const start = useRef<number>(undefined);
  const [drawn, setDrawn] = useState<Stretch>();
  const length = seen.to - seen.from;
  function under(event: PointerEvent): number {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(width, 1)));
    return seen.from + share * length;
  }
  const place = drawn && placeOf(drawn, seen);
  return (
    <span
      role="columnheader"
      aria-label={label}
      className={styles.axis}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = under(event);
      }}
      onPointerMove={(event) => {
        if (start.current === undefined) return;
        const at = under(event);
        setDrawn({ from: Math.min(start.current, at), to: Math.max(start.current, at) });
      }}
      onPointerUp={() => {
        if (drawn && drawn.to - drawn.from > length * LEAST_DRAWN) onDraw(drawn);
        start.current = undefined;
        setDrawn(undefined);
      }}
      onPointerCancel={() => {
        start.current = undefined;
        setDrawn(undefined);
      }}
    >
      {ticksOf(seen).map((at) => {
        const left = placeOf({ from: at, to: at }, seen)?.left ?? 0;
        if (left > LAST_LABEL) return null;
        return (
          <span key={at} className={styles.tick} style={{ left: `${left}%` }}>
            {formatDuration(at / 1000)}
          </span>
        );
      })}
      {place && (
        <span
          className={styles.drawn}
          style={{ left: `${place.left}%`, width: `${place.width}%` }}
        />
      )}
    </span>
  );
}
