// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { LiveChannel, type LiveEvent } from "./live";

const PRESENCE: LiveEvent = {
  type: "presence",
  workspace_id: "1",
  resource_type: "agent",
  resource_id: "7",
  people: [{ user_id: "3", since: 1 }],
  at_ms: 1,
};

/** Streams that a test writes to, in the order in which they were opened. */
class Streams {
  readonly opened: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>[] = [];
  readonly afterMs: (number | undefined)[] = [];
  readonly open = async (signal: AbortSignal, afterMs: number | undefined) =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        this.opened.push(controller);
        this.afterMs.push(afterMs);
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    });

  say(at: number, event: LiveEvent): void {
    const frame = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    this.opened[at]?.enqueue(new TextEncoder().encode(frame));
  }
}

/** One lock that windows hold one after the other. */
function oneLock(): Pick<LockManager, "request"> {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: async (_name: string, ...rest: unknown[]) => {
      const hold = rest.at(-1);
      const turn = last.then(() => (typeof hold === "function" ? hold(null) : undefined));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** What one window says the others hear. */
class Air extends EventTarget {
  others: Air[] = [];
  postMessage(data: unknown): void {
    for (const other of this.others) other.dispatchEvent(new MessageEvent("message", { data }));
  }
}

function windows(streams: Streams) {
  const locks = oneLock();
  const airs = [new Air(), new Air()];
  for (const air of airs) air.others = airs.filter((each) => each !== air);
  return airs.map((air) => new LiveChannel({ open: streams.open, locks, air, pausesMs: [0] }));
}

test("windows share one stream, and the next one takes over", async () => {
  const streams = new Streams();
  const [first, second] = windows(streams);
  const [left, right] = [vi.fn(), vi.fn()];
  const leave = first?.listen(left);
  second?.listen(right);
  await vi.waitFor(() => expect(streams.opened).toHaveLength(1));

  streams.say(0, PRESENCE);
  await vi.waitFor(() => expect(left).toHaveBeenCalledExactlyOnceWith(PRESENCE));
  expect(right).toHaveBeenCalledExactlyOnceWith(PRESENCE);

  leave?.();
  await vi.waitFor(() => expect(streams.opened).toHaveLength(2));
  streams.say(1, PRESENCE);
  await vi.waitFor(() => expect(right).toHaveBeenCalledTimes(2));
  expect(left).toHaveBeenCalledTimes(1);
  expect(streams.afterMs).toEqual([undefined, PRESENCE.at_ms]);
});

test("a window that rests leaves the stream to another, and goes on from the last event", async () => {
  const streams = new Streams();
  const [first, second] = windows(streams);
  const heard = vi.fn();
  first?.listen(heard);
  second?.listen(vi.fn());
  await vi.waitFor(() => expect(streams.opened).toHaveLength(1));

  first?.rest();
  await vi.waitFor(() => expect(streams.opened).toHaveLength(2));
  streams.say(1, { ...PRESENCE, at_ms: 7 });
  await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
  second?.rest();
  expect(streams.opened).toHaveLength(2);
  first?.wake();
  await vi.waitFor(() => expect(streams.opened).toHaveLength(3));
  expect(streams.afterMs).toEqual([undefined, undefined, 7]);
});

test("a stream that ends is opened again, without locks too", async () => {
  const streams = new Streams();
  const channel = new LiveChannel({
    open: streams.open,
    locks: undefined,
    air: new Air(),
    pausesMs: [0],
  });
  const heard = vi.fn();
  const leave = channel.listen(heard);
  await vi.waitFor(() => expect(streams.opened).toHaveLength(1));
  streams.opened[0]?.close();
  await vi.waitFor(() => expect(streams.opened).toHaveLength(2));
  streams.opened[1]?.error(new Error("gone"));
  await vi.waitFor(() => expect(streams.opened).toHaveLength(3));
  streams.say(2, PRESENCE);
  await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
  leave();
  expect(streams.opened).toHaveLength(3);
});
