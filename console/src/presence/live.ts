import type { LiveEvent } from "../api/schema";
import { pause } from "../stream/run";
import { sseEvents } from "../stream/sse";

export type { LiveEvent };

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;
type Listener = (event: LiveEvent) => void;

/** What a channel needs of its browser; `locks` are missing where pages come without encryption. */
export type LiveParts = {
  open: (signal: AbortSignal) => Promise<Body>;
  locks: Pick<LockManager, "request"> | undefined;
  air: Pick<BroadcastChannel, "postMessage" | "addEventListener">;
  /** How long to wait before the stream is opened again; the last one stays. */
  pausesMs?: readonly number[];
};

const LOCK = "coterie-live";
const PAUSES_MS = [500, 2000, 8000, 30_000];

/**
 * What changes while people work side by side. All windows of a browser share one stream: the one
 * that holds the lock reads it and passes on what comes, the next one takes over when it leaves.
 */
export class LiveChannel {
  private readonly parts: LiveParts;
  private readonly listeners = new Set<Listener>();
  private stop: AbortController | undefined;

  constructor(parts: LiveParts) {
    this.parts = parts;
    parts.air.addEventListener("message", ({ data }) => this.tell(data));
  }

  /** Listens until the returned function is called; without listeners there is no stream. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    if (!this.stop) {
      this.stop = new AbortController();
      void this.take(this.stop.signal).catch(() => undefined);
    }
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.stop?.abort();
      this.stop = undefined;
    };
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
        for await (const { event, data } of sseEvents(await open(signal))) {
          if (event === "error") break;
          const told: LiveEvent = JSON.parse(data);
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

  private tell(event: LiveEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}
