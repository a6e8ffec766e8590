// @vitest-environment happy-dom
import fc from "fast-check";
import { expect, test } from "vitest";
import { followRun, type RunEvent } from "./run";

const NAMES = ["run.created", "message.delta", "tool.started"];

function frames(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const seq = from + index;
    const type = seq === to ? "run.completed" : NAMES[seq % NAMES.length];
    return `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify({ type, text: `t${seq}` })}\n\n`;
  }).join("");
}

function body(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}

async function all(events: AsyncGenerator<RunEvent>): Promise<RunEvent[]> {
  const found: RunEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

test("wherever it is cut and however often, each event comes once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.nat(400), { maxLength: 8 }),
      fc.nat(3),
      async (last, cuts, overlap) => {
        const waiting = [...cuts];
        const found = await all(
          followRun({
            open: async (after) => {
              const cut = waiting.shift();
              const text = frames(Math.max(1, Math.min(last, after + 1 - overlap)), last);
              if (cut === 0) throw new Error("no connection");
              return body(cut === undefined ? text : text.slice(0, cut));
            },
            signal: new AbortController().signal,
            isFinal: () => false,
            pausesMs: [0],
          }),
        );
        expect(found.map((event) => event.seq)).toEqual(
          Array.from({ length: last }, (_, index) => index + 1),
        );
      },
    ),
    { numRuns: 40 },
  );
});

test("what no repeating helps is thrown", async () => {
  const events = followRun({
    open: () => Promise.reject(new Error("gone")),
    signal: new AbortController().signal,
    isFinal: () => true,
  });
  await expect(all(events)).rejects.toThrow("gone");
});

test("an ended run is not opened again", async () => {
  let opened = 0;
  const events = followRun({
    open: async () => {
      opened += 1;
      return body(frames(1, 3));
    },
    signal: new AbortController().signal,
    isFinal: () => false,
  });
  expect(await all(events)).toHaveLength(3);
  expect(opened).toBe(1);
});
