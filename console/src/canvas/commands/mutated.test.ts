// @vitest-environment node
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "../document/parse";
import { at } from "../document/read";
import { write, writeText } from "../document/tree";
import { graphOf } from "../model/graph";
import { changed, changes } from "../testing/changes";
import { EXAMPLES } from "../testing/examples";
import { moveNodes } from "./nodes";

/** CONSOLE_LONG takes as many as the specification asks for. */
const CANVASES = process.env["CONSOLE_LONG"] ? 1000 : 100;
const EACH = { numRuns: Math.ceil(CANVASES / EXAMPLES.length) };
const TO = { x: -7001.5, y: 7002.5 };

test.each(EXAMPLES)(
  "$name keeps every byte after any changes, and differs only in what is moved then",
  ({ text }) => {
    fc.assert(
      fc.property(changes, fc.nat(), (steps, pick) => {
        const saved = write(steps.reduce(changed, parse(text).value));
        const opened = parse(saved);
        expect(writeText(opened)).toBe(saved);

        const nodes = [...graphOf(opened.value).nodes.values()];
        const node = nodes[pick % nodes.length];
        const place = node && [...node.path, "meta", "position"];
        const old = place && at(opened.value, place);
        if (old?.kind !== "object") return;
        const moved = moveNodes(opened.value, new Map([[node?.id ?? "", { position: TO }]]));
        const after = write(moved);
        const point = write(at(moved, place ?? []) ?? moved);
        expect(JSON.parse(point)).toMatchObject(TO);
        expect(after.length - saved.length).toBe(point.length - write(old).length);
        expect(after.length - common(saved, after)).toBeLessThanOrEqual(point.length);
      }),
      EACH,
    );
  },
);

/** How many characters two texts have in common before and behind where they differ. */
function common(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let before = 0;
  while (before < most && one[before] === other[before]) before += 1;
  let behind = 0;
  while (behind < most - before && one.at(-1 - behind) === other.at(-1 - behind)) behind += 1;
  return before + behind;
}
