/** Streams of numbered events that go on where they broke off. */
import { ConnectionFailed, CoterieError, errorOf, StreamBroken } from "./errors.js";
import { mayRepeat, Patience } from "./retry.js";
import type { Request, Transport } from "./transport.js";

/** One server-sent event; `id` is 0 where the stream has no numbers. */
export interface Frame {
  id: number;
  event: string;
  data: string;
}

/** Collects text until a frame is complete; comments and half a frame at the end are nothing. */
export class FrameReader {
  #rest = "";

  *feed(piece: string): Generator<Frame> {
    const parts = (this.#rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.#rest = parts.pop() ?? "";
    for (const part of parts) {
      const frame = frameOf(part);
      if (frame) yield frame;
    }
  }
}

function frameOf(lines: string): Frame | undefined {
  const frame: Frame = { id: 0, event: "message", data: "" };
  const data: string[] = [];
  for (const line of lines.split("\n")) {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "event") frame.event = value;
    else if (name === "id" && /^\d+$/.test(value)) frame.id = Number(value);
  }
  frame.data = data.join("\n");
  return data.length > 0 ? frame : undefined;
}

/** Pieces of a body as they come; throws `ConnectionFailed` when none comes for too long. */
async function* pieces(response: Response, silenceMs: number, signal?: AbortSignal): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { value, done } = await within(reader.read(), silenceMs);
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new ConnectionFailed(`The stream broke: ${String(cause)}.`, { retryable: true }, cause);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function within<T>(wanted: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no byte for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([wanted, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Events as they are read; leaving the loop ends the reading, not what the server does. */
abstract class Reading<E> implements AsyncIterable<E> {
  lastSeq: number;
  protected readonly transport: Transport;
  readonly #events: AsyncGenerator<E, void, undefined>;

  constructor(transport: Transport, after = 0) {
    this.transport = transport;
    this.lastSeq = after;
    this.#events = this.read(); // runs with the first event that is asked for
  }

  protected abstract read(): AsyncGenerator<E, void, undefined>;

  [Symbol.asyncIterator](): AsyncGenerator<E, void, undefined> {
    return this.#events;
  }

  /** Stop reading; a run goes on. */
  async close(): Promise<void> {
    await this.#events.return();
  }
}

/**
 * Events of a run. A lost connection is not seen: none comes twice, none is missing.
 *
 * Leaving the loop ends the reading, not the run; `cancel` ends the run.
 */
export abstract class EventStream<E> extends Reading<E> {
  runId: string;
  readonly #first: Request;
  readonly #signal: AbortSignal | undefined;

  constructor(
    transport: Transport,
    first: Request,
    options: { signal?: AbortSignal | undefined; runId?: string; after?: number } = {},
  ) {
    super(transport, options.after);
    this.#first = first;
    this.#signal = options.signal;
    this.runId = options.runId ?? "";
  }

  /** The event of a frame; notes what later requests need of it. */
  protected abstract decode(frame: Frame): E;

  /** Whether nothing follows. */
  protected abstract isLast(frame: Frame): boolean;

  /** The request for what follows the last event. */
  protected abstract nextRequest(): Request;

  /** Whether a repeated first request learns by this error that the one before had arrived. */
  protected arrived(_error: CoterieError): boolean {
    return false;
  }

  /** End the run. */
  abstract cancel(): Promise<void>;

  protected async *read(): AsyncGenerator<E, void, undefined> {
    const patience = new Patience(this.transport.retries);
    let isBegun = false;
    for (let tries = 1; ; tries += 1) {
      const request = isBegun && this.runId ? this.nextRequest() : this.#first;
      let error: CoterieError;
      try {
        const response = await this.transport.open(request, this.#signal);
        isBegun = true;
        const reader = new FrameReader();
        for await (const piece of pieces(response, this.transport.streamTimeoutMs, this.#signal)) {
          for (const frame of reader.feed(piece)) {
            if (frame.event === "error" && frame.id === 0) throw errorOf(0, new Headers(), frame.data);
            if (frame.id <= this.lastSeq) continue;
            const event = this.decode(frame);
            this.lastSeq = frame.id;
            patience.reset();
            yield event;
            if (this.isLast(frame)) return;
          }
        }
        error = new ConnectionFailed("The stream ended before its last event.", { retryable: true });
      } catch (caught) {
        if (!(caught instanceof CoterieError)) throw caught;
        error = caught;
      }
      if (tries > 1 && !isBegun && this.arrived(error)) isBegun = true;
      else await this.#wait(error, patience, isBegun);
    }
  }

  async #wait(error: CoterieError, patience: Patience, isBegun: boolean): Promise<void> {
    const goesOn = mayRepeat(this.#first) || (isBegun && this.runId !== "");
    try {
      await this.transport.pause(error, goesOn ? patience : undefined, this.#signal);
    } catch (cause) {
      if (!(cause instanceof ConnectionFailed) || this.runId === "") throw cause;
      const text = `The stream of run ${this.runId} broke after event ${this.lastSeq}.`;
      throw new StreamBroken(text, this.runId, this.lastSeq, cause);
    }
  }
}

/**
 * Events of an answer, up to its end.
 *
 * Where the request takes `after`, a lost connection is not seen. Elsewhere it throws.
 */
export class Events<E> extends Reading<E> {
  readonly #request: Request;
  readonly #resumes: boolean;
  readonly #signal: AbortSignal | undefined;

  constructor(transport: Transport, request: Request, resumes: boolean, options: { signal?: AbortSignal | undefined } = {}) {
    super(transport);
    this.#request = request;
    this.#resumes = resumes;
    this.#signal = options.signal;
  }

  protected async *read(): AsyncGenerator<E, void, undefined> {
    const patience = new Patience(this.transport.retries);
    for (;;) {
      const after = this.lastSeq > 0 ? { after: this.lastSeq } : {};
      const request = { ...this.#request, query: { ...this.#request.query, ...after } };
      try {
        const response = await this.transport.open(request, this.#signal);
        const reader = new FrameReader();
        for await (const piece of pieces(response, this.transport.streamTimeoutMs, this.#signal)) {
          for (const frame of reader.feed(piece)) {
            if (frame.event === "error" && frame.id === 0) throw errorOf(0, new Headers(), frame.data);
            if (frame.id > 0 && frame.id <= this.lastSeq) continue;
            this.lastSeq = frame.id || this.lastSeq;
            patience.reset();
            yield JSON.parse(frame.data) as E;
          }
        }
        return;
      } catch (error) {
        if (!(error instanceof ConnectionFailed) || !this.#resumes) throw error;
        await this.transport.pause(error, patience, this.#signal);
      }
    }
  }
}
