// @vitest-environment node
import { expect, test } from "vitest";
import { canvasIn } from "./canvas-in";
import { write } from "./tree";

const CANVAS = '{"nodes": [{"id": "100001", "type": "1", "data": {}}], "edges": []}';

test.each([CANVAS, `{"json": ${CANVAS}}`, ` {"name": "A", "schema": ${CANVAS}} `])(
  "a canvas is found in %s",
  (text) => {
    const found = canvasIn(text);
    expect(found && write(found)).toBe(CANVAS);
  },
);

test.each(["", "{}", "[]", '{"nodes": []}', '{"nodes": [{"id": "1"}]}', "nodes: []"])(
  "there is none in %s",
  (text) => {
    expect(canvasIn(text)).toBeUndefined();
  },
);
