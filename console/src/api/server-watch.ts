import { pause } from "../stream/run";
import { isAlive } from "./alive";
import type { ApiError } from "./errors";
import type { Refused, Watch } from "./transport";

/** What is wrong with the server as a whole, once it is worth telling. */
export type Outage = "unreachable" | "restarting";

const UNREACHABLE_AFTER_MS = 10_000;
const LONGEST_RESTART_MS = 60_000;
/** Between two tries of what waits for a restart its notice stays. */
const RESTART_LINGERS_MS = 2000;
const LEAST_PAUSE_MS = 1000;
const PAUSES_MS = [1000, 2000, 4000, 8000];

type Told = { onChange: (outage: Outage | undefined) => void; onBack: () => void };

/**
 * Watches over the connection for all requests of a page: asks by itself from the first failure on
 * until the server answers again, and lets what a restarting server refused wait for it.
 */
export class ServerWatch implements Watch {
  private readonly told: Told;
  private outage: Outage | undefined;
  private search: AbortController | undefined;
  private isLate = false;
  private wasAway = false;
  private restarts = 0;

  constructor(told: Told) {
    this.told = told;
  }

  answered(): void {
    if (!this.search) return;
    this.search.abort();
    this.search = undefined;
    this.isLate = false;
    this.tell();
    // What is refused by something on the way, time and again, is not asked for without end.
    if (this.wasAway) this.told.onBack();
    this.wasAway = false;
  }

  failed(error: ApiError): void {
    if (!error.isSilence) this.answered();
    else if (!this.search) {
      this.search = new AbortController();
      void this.seek(this.search.signal);
    }
  }

  async isBack({ error, isSafe, beganAt, signal }: Refused): Promise<boolean> {
    // Nothing was done with what the server refused so; of what it did not answer nobody knows.
    const isRefused = error.slug === "shutting_down";
    const isAway = isSafe && error.isSilence && (this.restarts > 0 || error.status === 503);
    if (!isRefused && !isAway) return false;
    this.restarts += 1;
    this.tell();
    try {
      do {
        await pause(Math.max(error.retryAfterS * 1000, LEAST_PAUSE_MS), signal);
        signal.throwIfAborted();
        if (Date.now() - beganAt > LONGEST_RESTART_MS) return false;
      } while (!(await isAlive()));
      return true;
    } finally {
      setTimeout(() => {
        this.restarts -= 1;
        this.tell();
      }, RESTART_LINGERS_MS);
    }
  }

  /** Asks now, for somebody who does not want to wait. */
  async ask(): Promise<void> {
    if (await isAlive()) this.answered();
    else this.wasAway = true;
  }

  private async seek(signal: AbortSignal): Promise<void> {
    const late = setTimeout(() => {
      this.isLate = true;
      this.tell();
    }, UNREACHABLE_AFTER_MS);
    signal.addEventListener("abort", () => clearTimeout(late));
    for (let tries = 0; !signal.aborted; tries += 1) {
      await pause(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0, signal);
      if (!signal.aborted) await this.ask();
    }
  }

  private tell(): void {
    const outage = this.restarts > 0 ? "restarting" : this.isLate ? "unreachable" : undefined;
    if (outage === this.outage) return;
    this.outage = outage;
    this.told.onChange(outage);
  }
}
