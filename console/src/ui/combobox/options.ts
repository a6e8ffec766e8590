import { type ReactNode, useEffect, useState } from "react";

export type ComboboxOption = {
  value: string;
  label: string;
  /** A line below the label, searched too. */
  note?: string | undefined;
  icon?: ReactNode;
  isDisabled?: boolean;
};

/** All there are, or how to ask for those that match. */
export type OptionSource =
  | readonly ComboboxOption[]
  | ((query: string, signal: AbortSignal) => Promise<readonly ComboboxOption[]>);

/** How long typing has to rest before the source is asked. */
const REST_MS = 150;

type Found = {
  options: readonly ComboboxOption[];
  state: "ready" | "pending" | "failed";
};

/** Options that match what was typed; asked for while the list is open only. */
export function useOptions(source: OptionSource, query: string, isOpen: boolean): Found {
  const [found, setFound] = useState<Found>({ options: [], state: "pending" });
  const ask = typeof source === "function" ? source : undefined;
  useEffect(() => {
    if (!ask || !isOpen) return;
    const stop = new AbortController();
    setFound((old) => ({ ...old, state: "pending" }));
    const timer = setTimeout(
      () =>
        ask(query, stop.signal).then(
          (options) => stop.signal.aborted || setFound({ options, state: "ready" }),
          () => stop.signal.aborted || setFound({ options: [], state: "failed" }),
        ),
      query ? REST_MS : 0,
    );
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [ask, query, isOpen]);
  if (typeof source === "function") return found;
  return { options: source.filter((option) => matches(option, query)), state: "ready" };
}

/** Whether all words of a query occur, whatever their case, width or accents. */
export function matches(option: ComboboxOption, query: string): boolean {
  const text = folded(`${option.label} ${option.note ?? ""}`);
  return folded(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
