import { type ClipboardEvent, type KeyboardEvent, useState } from "react";
import { tsvOf } from "../table/rules";
import type { GridColumn } from "./data-grid";

export type Place = { row: number; column: number };
/** What a cell shall hold, typed over what it holds or opened as it is. */
export type Draft = { text: string; isTyped: boolean };

type Options = {
  rows: number;
  columns: readonly GridColumn[];
  textAt: (row: number, column: number) => string | undefined;
  canWrite: boolean;
  scrollTo: (place: Place) => void;
  focus: () => void;
  onChoose: (row: number, isRange: boolean) => void;
  onEdit: (row: number, column: number, text: string) => void;
  onPaste: (text: string) => void;
  onDelete: () => void;
};

const PAGE = 20;
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageDown: [PAGE, 0],
  PageUp: [-PAGE, 0],
};

/** The cell that is walked to, the cells up to it, and the text that is typed into it. */
export function useGridKeys(options: Options) {
  const { rows, columns, textAt, canWrite, scrollTo, focus } = options;
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  const [anchor, setAnchor] = useState<Place>();
  const [draft, setDraft] = useState<Draft>();

  function go(place: Place, isRange = false): void {
    const row = Math.max(0, Math.min(rows - 1, place.row));
    const column = Math.max(0, Math.min(columns.length - 1, place.column));
    setAnchor(isRange ? (anchor ?? active) : undefined);
    setActive({ row, column });
    scrollTo({ row, column });
  }
  /** Opens the cell, or begins to type over it. */
  function edit(typed?: string): void {
    const text = typed ?? textAt(active.row, active.column);
    if (!canWrite || text === undefined || columns[active.column]?.isReadOnly) return;
    setDraft({ text, isTyped: typed !== undefined });
  }
  function commit(): void {
    if (draft === undefined) return;
    setDraft(undefined);
    if (draft.text !== textAt(active.row, active.column)) {
      options.onEdit(active.row, active.column, draft.text);
    }
  }
  function onDraftKey(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const step = event.shiftKey ? -1 : 1;
    if (event.key === "Escape") setDraft(undefined);
    else if (event.key === "Enter") {
      commit();
      go({ ...active, row: active.row + step });
    } else if (event.key === "Tab") {
      commit();
      go({ ...active, column: active.column + step });
    } else return;
    event.preventDefault();
    event.stopPropagation();
    focus();
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (draft !== undefined) {
      onDraftKey(event);
      return;
    }
    if (event.target !== event.currentTarget || rows === 0 || event.altKey) return;
    const { key, shiftKey } = event;
    const step = STEPS[key];
    const isCommand = event.metaKey || event.ctrlKey;
    if (step && !isCommand) {
      go({ row: active.row + step[0], column: active.column + step[1] }, shiftKey);
    } else if (key === "Home") go({ row: isCommand ? 0 : active.row, column: 0 }, shiftKey);
    else if (key === "End")
      go({ row: isCommand ? rows - 1 : active.row, column: columns.length - 1 }, shiftKey);
    else if (isCommand) return;
    else if (key === "Enter" || key === "F2") edit();
    else if (key === " ") options.onChoose(active.row, shiftKey);
    else if (key === "Delete") options.onDelete();
    else if (key === "Backspace") edit("");
    else if (key.length === 1) edit(key);
    else return;
    event.preventDefault();
  }
  function range(): readonly [Place, Place] {
    const other = anchor ?? active;
    return [
      { row: Math.min(active.row, other.row), column: Math.min(active.column, other.column) },
      { row: Math.max(active.row, other.row), column: Math.max(active.column, other.column) },
    ];
  }
  /** The first and the last column of a row that are selected. */
  function selectedIn(row: number): readonly [number, number] | undefined {
    const [first, last] = range();
    return row >= first.row && row <= last.row ? [first.column, last.column] : undefined;
  }
  function onCopy(event: ClipboardEvent): void {
    if (draft !== undefined || rows === 0) return;
    const [first, last] = range();
    const cells: string[][] = [];
    for (let row = first.row; row <= last.row; row++) {
      const line: string[] = [];
      for (let column = first.column; column <= last.column; column++)
        line.push(textAt(row, column) ?? "");
      cells.push(line);
    }
    event.clipboardData.setData("text/plain", tsvOf(cells));
    event.preventDefault();
  }
  function onPaste(event: ClipboardEvent): void {
    if (draft !== undefined || !canWrite) return;
    const text = event.clipboardData.getData("text/plain");
    event.preventDefault();
    const isOne = rows > 0 && !/[\t\n]/.test(text.trimEnd());
    if (!isOne) options.onPaste(text);
    else if (!columns[active.column]?.isReadOnly)
      options.onEdit(active.row, active.column, text.trimEnd());
  }
  const shown = { row: Math.min(active.row, Math.max(0, rows - 1)), column: active.column };
  return {
    active: shown,
    draft,
    setDraft: (text: string) => setDraft((old) => ({ isTyped: false, ...old, text })),
    go,
    edit,
    commit,
    selectedIn,
    onKeyDown,
    onCopy,
    onPaste,
  };
}
