import { useEffect, useSyncExternalStore } from "react";

/**
 * A part of a chat that is fetched on its own, and without which the chat is drawn until then. React
 * would put what it waited for in its place no sooner than 300 ms after it showed what stands for it.
 */
export class Part<T> {
  private found: T | undefined;
  private fetching: Promise<void> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly fetch: () => Promise<T>;

  constructor(fetch: () => Promise<T>) {
    this.fetch = fetch;
  }

  /** Fetches it, once; whoever wants it later tries again where that failed. */
  readonly begin = (): void => {
    this.fetching ??= this.fetch().then(
      (found) => {
        this.found = found;
        for (const listener of this.listeners) listener();
      },
      () => {
        this.fetching = undefined;
      },
    );
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  readonly snapshot = (): T | undefined => this.found;
}

/** The part as soon as it is there; it is fetched where it is wanted. */
export function usePart<T>(part: Part<T>, isWanted = true): T | undefined {
  useEffect(() => {
    if (isWanted) part.begin();
  }, [part, isWanted]);
  return useSyncExternalStore(part.subscribe, part.snapshot);
}

/** The list for many turns, as soon as there may be many. */
export const longTurns = new Part(async () => (await import("./long-turns")).LongTurns);

/** The reader of Markdown, which no chat needs before its first answer. */
export const said = new Part(async () => (await import("./said")).Said);

/** What an answer asks for before it can go on, which few do. */
export const waitingCards = new Part(async () => (await import("./waiting")).WaitingCards);

/** What draws formulas, for texts that have any. */
export const maths = new Part(async () => (await import("./markdown/maths")).Maths);

/** What knows the colours of code, for texts that have any. */
export const coloured = new Part(async () => (await import("../ui/code/coloured")).Coloured);
