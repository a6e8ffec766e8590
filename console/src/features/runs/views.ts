import { FILTERS, type RunSearch } from "./queries";

/** Filters in the order in which a view names them. */
const KEYS = ["q", ...FILTERS] as const;

/** What a view keeps of the address: only what is set, always in one order. */
export function spelledSearch(search: RunSearch): string {
  const words = new URLSearchParams();
  for (const key of KEYS) {
    const value = search[key];
    if (value) words.set(key, value);
  }
  return words.toString();
}

/** Reads what a view keeps; filters that are not known here fall out. */
export function readSearch(text: string): RunSearch {
  const words = new URLSearchParams(text);
  const found: RunSearch = {};
  for (const key of KEYS) {
    const value = words.get(key);
    if (value) found[key] = value;
  }
  return found;
}
