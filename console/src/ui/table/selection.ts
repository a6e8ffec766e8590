import { type KeyboardEvent, useCallback, useRef, useState } from "react";

/** Which rows are chosen, and how that changes. */
export type Selection = {
  chosen: ReadonlySet<string>;
  /** One row, or with Shift all from the one before. */
  toggle: (key: string, isRange: boolean) => void;
  setAll: (isChosen: boolean) => void;
  clear: () => void;
};

const NONE: ReadonlySet<string> = new Set();

/** The choice among rows that are there; what leaves the list leaves the choice. */
export function useSelection(keys: readonly string[]): Selection {
  const [all, setChosen] = useState(NONE);
  const last = useRef<string>(undefined);
  const present = new Set(keys);
  const chosen = new Set([...all].filter((key) => present.has(key)));
  function toggle(key: string, isRange: boolean): void {
    const next = new Set(chosen);
    const from = isRange && last.current !== undefined ? keys.indexOf(last.current) : -1;
    const at = keys.indexOf(key);
    if (from >= 0) {
      for (const each of keys.slice(Math.min(from, at), Math.max(from, at) + 1)) next.add(each);
    } else if (!next.delete(key)) next.add(key);
    last.current = key;
    setChosen(next);
  }
  return {
    chosen,
    toggle,
    setAll: (isChosen) => setChosen(isChosen ? present : NONE),
    clear: useCallback(() => setChosen(NONE), []),
  };
}

type Pressed = Pick<
  KeyboardEvent,
  "key" | "shiftKey" | "altKey" | "ctrlKey" | "metaKey" | "preventDefault"
>;

/** Space, X and ⌘A choose; returns whether the key was one of them. */
export function onSelectionKey(event: Pressed, key: string, selection: Selection): boolean {
  const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey;
  if (event.key === " " || (isPlain && event.key.toLowerCase() === "x"))
    selection.toggle(key, event.shiftKey);
  else if (event.key === "a" && (event.metaKey || event.ctrlKey)) selection.setAll(true);
  else if (event.key === "Escape" && selection.chosen.size > 0) selection.clear();
  else return false;
  event.preventDefault();
  return true;
}
