import { useSyncExternalStore } from "react";
import { useLanguage } from "../../text/catalogue";
import { formatExact, formatRelative } from "../../text/formats";

const TICK_MS = 30_000;

/** When something happened: how long ago, and exactly on hover and to screen readers. */
export function Ago({ at }: { at: number | null | undefined }) {
  useLanguage();
  const now = useSyncExternalStore(subscribe, () => seconds);
  if (!at) return null;
  const exact = formatExact(at);
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={exact}>
      {formatRelative(at, now)}
    </time>
  );
}

/** One clock for all times of a page: a list has dozens of them. */
const listeners = new Set<() => void>();
let seconds = Date.now() / 1000;
let timer = 0;

function tick(): void {
  seconds = Date.now() / 1000;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    seconds = Date.now() / 1000;
    timer = window.setInterval(tick, TICK_MS);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}
