import type { LiveEvent } from "../api/schema";
import { pause } from "../stream/run";
import { sseEvents } from "../stream/sse";

export type { LiveEvent };

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;
type Listener = (event: LiveEvent) => void;

/** What a channel needs of its browser; `locks` are missing where pages come without encryption. */
export type LiveParts = {
  /**
   * Opens the stream; `afterMs` is the instant of the last event that came before a break. Without
   * one, what is on the screen was read since the page began.
   */
  open: (signal: AbortSignal, afterMs: number | undefined) => Promise<Body>;
  locks: Pick<LockManager, "request"> | undefined;
  air: Pick<BroadcastChannel, "postMessage" | "addEventListener">;
  /** How long to wait before the stream is opened again; the last one stays. */
  pausesMs?: readonly number[];
};

const LOCK = "coterie-live";
const PAUSES_MS = [500, 2000, 8000, 30_000];

/**
 * What changes while people work side by side. All windows of a browser share one stream: the one
 * that holds the lock reads it and passes on what comes, the next one takes over when it leaves,
 * from the last event on.
 */
export class LiveChannel {
  private readonly parts: LiveParts;
  private readonly listeners = new Set<Listener>();
  private stop: AbortController | undefined;
  private isResting = false;
  private lastMs: number | undefined;

  constructor(parts: LiveParts) {
    this.parts = parts;
    parts.air.addEventListener("message", ({ data }) => this.tell(data));
  }

  /** Listens until the returned function is called; without listeners there is no stream. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    this.begin();
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.end();
    };
  }

  /** Leaves the stream to other windows until `wake`. */
  rest(): void {
    this.isResting = true;
    this.end();
  }

  /** Goes on where it rested; what was missed is told. */
  wake(): void {
    this.isResting = false;
    if (this.listeners.size > 0) this.begin();
  }

  private begin(): void {
    if (this.stop || this.isResting) return;
    this.stop = new AbortController();
    void this.take(this.stop.signal).catch(() => undefined);
  }

  private end(): void {
    this.stop?.abort();
    this.stop = undefined;
  }

  private async take(signal: AbortSignal): Promise<void> {
    const { locks } = this.parts;
    if (!locks) return this.read(signal);
    await locks.request(LOCK, { signal }, () => this.read(signal));
  }

  private async read(signal: AbortSignal): Promise<void> {
    const { open, air, pausesMs = PAUSES_MS } = this.parts;
    let failures = 0;
    while (!signal.aborted) {
      try {
        for await (const { data } of sseEvents(await open(signal, this.lastMs))) {
          const told: LiveEvent = JSON.parse(data);
          if (told.type === "error") break;
          failures = 0;
          this.tell(told);
          air.postMessage(told);
        }
      } catch {
        // Whatever it was: nobody waits for this stream, and it is opened again below.
      }
      await pause(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0, signal);
      failures += 1;
    }
  }

  private tell(event: Exclude<LiveEvent, { type: "error" }>): void {
    this.lastMs = event.at_ms;
    for (const listener of this.listeners) listener(event);
  }
}
