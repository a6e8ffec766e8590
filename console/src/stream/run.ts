import { isRecord } from "../json/json";
import { type SseEvent, sseEvents } from "./sse";

/** One numbered event of a run; what stands in it depends on its name. */
export type RunEvent = { seq: number; name: string; data: Readonly<Record<string, unknown>> };

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/** Opens the events behind a number; throws what `isFinal` knows where no repeating helps. */
export type OpenRun = (after: number, signal: AbortSignal) => Promise<Body>;

export type Following = {
  open: OpenRun;
  after?: number;
  signal: AbortSignal;
  /** Whether an error of `open` is the last word. */
  isFinal: (error: unknown) => boolean;
  /** Told when the stream is away for longer than anybody overlooks, and when it is back. */
  onAway?: (isAway: boolean) => void;
  /** How long to wait before each further try; the last one stays. */
  pausesMs?: readonly number[];
  /** Names of the events behind which nothing comes. */
  endings?: ReadonlySet<string>;
  /** Told of the spans between the events, which have no numbers and come once. */
  onSpan?: (span: RunEvent["data"]) => void;
};

const PAUSES_MS = [200, 500, 1000, 2000, 4000, 8000];
const OVERLOOKED_MS = 3000;
const ENDINGS = new Set(["run.completed", "run.failed", "run.canceled", "run.requires_action"]);

/**
 * The events of a run up to its end, each once, whatever happens to the connection: what breaks is
 * opened again behind the last number.
 */
export async function* followRun(options: Following): AsyncGenerator<RunEvent> {
  const { open, signal, isFinal, onAway, pausesMs = PAUSES_MS, endings = ENDINGS } = options;
  let after = options.after ?? 0;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const back = () => {
    clearTimeout(timer);
    timer = undefined;
    onAway?.(false);
  };
  try {
    while (!signal.aborted) {
      try {
        for await (const event of sseEvents(await open(after, signal))) {
          if (timer) back();
          const read = readEvent(event);
          if (read?.name.startsWith("span.")) options.onSpan?.(read.data);
          if (!read || read.seq <= after) continue;
          failures = 0;
          after = read.seq;
          yield read;
          if (endings.has(read.name)) return;
        }
      } catch (error) {
        if (signal.aborted || isFinal(error)) throw error;
      }
      timer ??= setTimeout(() => onAway?.(true), OVERLOOKED_MS);
      await pause(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0, signal);
      failures += 1;
    }
  } finally {
    clearTimeout(timer);
  }
}

function readEvent({ id, data }: SseEvent): RunEvent | undefined {
  const seq = Number(id);
  if (!Number.isInteger(seq) || seq < 0) return undefined;
  const read: unknown = JSON.parse(data);
  if (!isRecord(read)) return undefined;
  return { seq, name: typeof read["type"] === "string" ? read["type"] : "", data: read };
}

/** Waits, but no longer than until the network or the person is back. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const seen = () => document.visibilityState === "visible" && go();
    const go = () => {
      clearTimeout(timer);
      removeEventListener("online", go);
      signal.removeEventListener("abort", go);
      document.removeEventListener("visibilitychange", seen);
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener("online", go);
    signal.addEventListener("abort", go);
    document.addEventListener("visibilitychange", seen);
  });
}
