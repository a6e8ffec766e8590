import fc from "fast-check";
import { expect, test } from "vitest";
import { SseParser } from "./sse";

const LINE = fc.stringMatching(/^[^\r\n\0]*$/);
const EVENT = fc.record({
  id: fc.stringMatching(/^[a-z0-9-]{1,12}$/),
  event: fc.stringMatching(/^[a-z._]{1,20}$/),
  lines: fc.array(LINE, { minLength: 1, maxLength: 3 }),
});
const END = fc.constantFrom("\n", "\r\n", "\r");
const SILENCE = fc.constantFrom("", ": keep-alive", ":");

test("events are read however the text was torn apart", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(EVENT, END, SILENCE), { maxLength: 6 }),
      fc.array(fc.nat(200), { maxLength: 20 }),
      (events, cuts) => {
        const text = events
          .map(([{ id, event, lines }, end, silence]) =>
            [
              ...(silence ? [silence, ""] : []),
              `id: ${id}`,
              `event: ${event}`,
              ...lines.map((line) => `data: ${line}`),
              "",
              "",
            ].join(end),
          )
          .join("");
        const parser = new SseParser();
        const at = [...new Set(cuts)].filter((cut) => cut < text.length).sort((a, b) => a - b);
        const pieces = [0, ...at].map((from, i) => text.slice(from, at[i] ?? text.length));
        expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(
          events.map(([{ id, event, lines }]) => ({ id, event, data: lines.join("\n") })),
        );
      },
    ),
  );
});

test("a field without value, without space or without colon is one all the same", () => {
  const parser = new SseParser();
  expect(parser.push("data:a\ndata\nother: x\n\n")).toEqual([
    { id: "", event: "message", data: "a\n" },
  ]);
  expect(parser.push("event: gone\n\n")).toEqual([]);
});
