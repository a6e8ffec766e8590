// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, unreachable } from "./errors";
import { type Outage, ServerWatch } from "./server-watch";

let isUp = false;
let outages: (Outage | undefined)[] = [];
let returns = 0;

function watched(): ServerWatch {
  return new ServerWatch({
    onChange: (outage) => outages.push(outage),
    onBack: () => {
      returns += 1;
    },
  });
}

function refusal(status: number, slug = "", code = 0): ApiError {
  return new ApiError({ status, code, slug, message: "", logId: "", retryAfterS: 1 });
}

const signal = new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
  [isUp, outages, returns] = [false, [], 0];
  vi.stubGlobal("fetch", async () => {
    if (!isUp) throw new TypeError("Failed to fetch");
    return new Response();
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a server that does not answer", () => {
  test("is told of after ten seconds, until it answers by itself", async () => {
    watched().failed(unreachable());
    await vi.advanceTimersByTimeAsync(9_900);
    expect(outages).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(outages).toEqual(["unreachable"]);
    isUp = true;
    await vi.advanceTimersByTimeAsync(8_000);
    expect([outages, returns]).toEqual([["unreachable", undefined], 1]);
  });

  test("is not told of where it is back before", async () => {
    const watch = watched();
    watch.failed(refusal(502));
    await vi.advanceTimersByTimeAsync(1_500);
    watch.answered();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([outages, returns]).toEqual([[], 1]);
  });

  test("is none where only one request gets no answer", async () => {
    isUp = true;
    watched().failed(unreachable());
    await vi.advanceTimersByTimeAsync(60_000);
    expect([outages, returns]).toEqual([[], 0]);
  });

  test("is none where it says itself what is wrong", async () => {
    const watch = watched();
    for (const [status, code] of [
      [500, 5000],
      [502, 5001],
      [503, 5002],
      [429, 0],
    ] as const) {
      watch.failed(refusal(status, "", code));
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(outages).toEqual([]);
  });
});

describe("a server that restarts", () => {
  const stopping = refusal(503, "shutting_down", 5002);

  test("has changes wait that it refused, and says so", async () => {
    const beganAt = Date.now();
    const wait = watched().isBack({ error: stopping, isSafe: false, beganAt, signal });
    expect(outages).toEqual(["restarting"]);
    await vi.advanceTimersByTimeAsync(30_000);
    isUp = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await wait).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(outages).toEqual(["restarting", undefined]);
  });

  test("is waited for no longer than a minute", async () => {
    const beganAt = Date.now();
    const wait = watched().isBack({ error: stopping, isSafe: true, beganAt, signal });
    await vi.advanceTimersByTimeAsync(62_000);
    expect(await wait).toBe(false);
  });

  test("has reads wait that find nobody meanwhile, and no changes", async () => {
    const watch = watched();
    const beganAt = Date.now();
    const error = unreachable();
    expect(await watch.isBack({ error, isSafe: true, beganAt, signal })).toBe(false);
    void watch.isBack({ error: stopping, isSafe: false, beganAt, signal });
    expect(await watch.isBack({ error, isSafe: false, beganAt, signal })).toBe(false);
    const wait = watch.isBack({ error, isSafe: true, beganAt, signal });
    isUp = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await wait).toBe(true);
  });

  test("is not waited for by whoever has gone", async () => {
    const gone = new AbortController();
    const wait = watched().isBack({
      error: stopping,
      isSafe: true,
      beganAt: Date.now(),
      signal: gone.signal,
    });
    gone.abort();
    await expect(wait).rejects.toThrow(/abort/i);
  });
});
