/** Requests over HTTP: address, token, time-outs, retries and errors in one place. */
import { ConnectionFailed, CoterieError, DecodeFailed, errorOf } from "./errors.js";
import { mayRepeat, Patience, sleep } from "./retry.js";

export const VERSION = "0.1.0";
const NEEDS = [0, 1] as const;
const KEY = "Idempotency-Key";

export interface ClientOptions {
  /** Address of the server, such as `http://127.0.0.1:8000`. */
  baseUrl: string;
  token: string | (() => string | Promise<string>);
  /** Milliseconds until an answer must have begun; streams have {@link streamTimeoutMs}. */
  timeoutMs?: number;
  /** Milliseconds without a byte after which a stream counts as lost. */
  streamTimeoutMs?: number;
  /** Failures in a row after which a request is given up. */
  retries?: number;
  fetch?: typeof fetch;
  headers?: Readonly<Record<string, string>>;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  /** Key of a request that may be sent again; made by the library unless given. */
  idempotencyKey?: string | undefined;
  /** Revision that was read; a change of another one is refused. */
  ifMatch?: string | undefined;
}

/** What is sent. */
export interface Request {
  method: string;
  path: string;
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
  file?: { data: Blob; name: string; rewinds: boolean };
  headers?: Readonly<Record<string, string>>;
  /** Whether the server takes a key for it, so that it may be sent again. */
  hasKey?: boolean;
}

/** Sends requests to one server. */
export class Transport {
  readonly retries: number;
  readonly #options: ClientOptions;
  readonly #base: string;
  #isWarned = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = options.baseUrl.replace(/\/+$/, "");
    this.retries = options.retries ?? 3;
  }

  /** Send until there is an answer; throw what it stands for unless it is a success. */
  async send(request: Request, options: RequestOptions = {}): Promise<Response> {
    const keyed = withKey(request, options);
    const patience = new Patience(this.retries);
    for (;;) {
      try {
        return await this.open(keyed, options.signal, this.#options.timeoutMs ?? 60_000);
      } catch (error) {
        const again = mayRepeat(keyed) && keyed.file?.rewinds !== false;
        await this.pause(error, again ? patience : undefined, options.signal);
      }
    }
  }

  /** Send and decode the answer. */
  async call<T>(request: Request, options?: RequestOptions): Promise<T> {
    const response = await this.send(request, options);
    try {
      return (await response.json()) as T;
    } catch (cause) {
      throw new DecodeFailed("The server's answer is not understood.", {}, cause);
    }
  }

  /** Send once; an answer whose body is still to come. */
  async open(request: Request, signal?: AbortSignal, timeoutMs?: number): Promise<Response> {
    const slow = AbortSignal.timeout(timeoutMs ?? this.streamTimeoutMs);
    const stop = new AbortController();
    const end = (event: Event): void => stop.abort((event.target as AbortSignal).reason);
    signal?.throwIfAborted();
    signal?.addEventListener("abort", end, { once: true });
    slow.addEventListener("abort", end, { once: true });
    let response: Response;
    try {
      const send = this.#options.fetch ?? fetch;
      response = await send(this.#url(request), { ...(await this.#init(request)), signal: stop.signal });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new ConnectionFailed(`The server could not be reached: ${String(cause)}.`, { retryable: true }, cause);
    } finally {
      slow.removeEventListener("abort", end);
    }
    this.#lookAt(response);
    if (!response.ok) throw errorOf(response.status, response.headers, await response.text());
    return response;
  }

  /** Wait before the next try, or throw why there is none. */
  async pause(error: unknown, patience: Patience | undefined, signal?: AbortSignal): Promise<void> {
    if (!(error instanceof CoterieError) || !error.retryable) throw error;
    const ms = patience?.pause(error.retryAfterMs);
    if (ms === undefined) throw error;
    await sleep(ms, signal);
  }

  get streamTimeoutMs(): number {
    return this.#options.streamTimeoutMs ?? 45_000;
  }

  #url(request: Request): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(request.query ?? {})) {
      for (const each of Array.isArray(value) ? value : [value]) {
        if (each !== undefined && each !== null) search.append(name, String(each));
      }
    }
    const text = search.toString();
    return this.#base + request.path + (text ? `?${text}` : "");
  }

  async #init(request: Request): Promise<RequestInit> {
    const given = this.#options.token;
    const token = typeof given === "string" ? given : await given();
    const headers = new Headers({ ...this.#options.headers, ...request.headers });
    if (token) headers.set("Authorization", `Bearer ${token}`);
    if (typeof window === "undefined") headers.set("User-Agent", `coterie-client/${VERSION} typescript`);
    if (request.file) {
      const form = new FormData();
      form.append("file", request.file.data, request.file.name);
      return { method: request.method, headers, body: form };
    }
    if (request.body === undefined) return { method: request.method, headers };
    headers.set("Content-Type", "application/json");
    return { method: request.method, headers, body: JSON.stringify(request.body) };
  }

  #lookAt(response: Response): void {
    const version = response.headers.get("coterie-version");
    const found = /^(\d+)\.(\d+)/.exec(version ?? "");
    if (!found || this.#isWarned) return;
    const [major, minor] = [Number(found[1]), Number(found[2])];
    if (major > NEEDS[0] || (major === NEEDS[0] && minor >= NEEDS[1])) return;
    this.#isWarned = true;
    console.warn(`The server at ${this.#base} is ${version}; this library needs ${NEEDS.join(".")} or newer.`);
  }
}

/** Give a request the headers of its options, and a key if it takes one. */
export function withKey(request: Request, options: RequestOptions): Request {
  const headers: Record<string, string> = { ...request.headers };
  if (request.hasKey) headers[KEY] ??= options.idempotencyKey ?? crypto.randomUUID();
  if (options.ifMatch !== undefined) headers["If-Match"] = options.ifMatch;
  return { ...request, headers };
}

/** Spell a part of a path. */
export const part = encodeURIComponent;
