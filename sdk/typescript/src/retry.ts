/** Retries: what may be sent again, after which pause, and for how long. */

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
const LONGEST_OUTAGE_MS = 300_000;
const REPEATABLE = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** Tell whether sending a request twice does what sending it once does. */
export function mayRepeat(request: { method: string; hasKey?: boolean }): boolean {
  return REPEATABLE.has(request.method) || request.hasKey === true;
}

/** Failures in a row, and the pause before the next try. */
export class Patience {
  #failures = 0;
  #since = Date.now();

  constructor(readonly retries: number) {}

  /** Begin again: something came. */
  reset(): void {
    this.#failures = 0;
    this.#since = Date.now();
  }

  /** Count a failure; the milliseconds to wait, undefined if it was the last. */
  pause(retryAfterMs?: number): number | undefined {
    this.#failures += 1;
    if (this.#failures > this.retries || Date.now() - this.#since > LONGEST_OUTAGE_MS) return undefined;
    if (retryAfterMs !== undefined) return retryAfterMs;
    const usual = Math.min(FIRST_PAUSE_MS * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS);
    return Math.min(usual * (0.5 + Math.random()), LONGEST_PAUSE_MS);
  }
}

/** Wait; throw the signal's reason if it is aborted meanwhile. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", aborted);
      resolve();
    }, ms);
    signal?.addEventListener("abort", aborted, { once: true });
  });
}
