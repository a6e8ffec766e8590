// @vitest-environment node
import { expect, test } from "vitest";
import type { Diagnostic } from "../../api/schema";
import { parse } from "../document/parse";
import { toJson } from "../document/read";
import { fixOf } from "./fix";

const root = parse(
  JSON.stringify({
    nodes: [
      { id: "100001", type: "1", data: {} },
      {
        id: "110001",
        type: "5",
        data: { inputs: { inputParameters: [{ name: "used" }, { name: "idle" }] } },
      },
    ],
    edges: [
      { sourceNodeID: "100001", targetNodeID: "110001" },
      { sourceNodeID: "110001", targetNodeID: "gone" },
    ],
  }),
).value;

function finding(code: string, more: Partial<Diagnostic>): Diagnostic {
  return {
    code,
    severity: "error",
    message: "",
    node_id: "",
    node_title: "",
    json_pointer: "",
    hint: "",
    port: "",
    edge: null,
    related: [],
    blocks_run: false,
    ...more,
  };
}

function mended(problem: Diagnostic) {
  const fix = fixOf(root, problem);
  return fix && [fix.kind, JSON.stringify(toJson(fix.apply(root)))];
}

test("an edge without its end is removed, and no other", () => {
  const edge = { source: "110001", target: "gone", port: "" };
  const [kind, text] = mended(finding("WF105", { edge })) ?? [];
  expect(kind).toBe("removeEdge");
  expect(text).not.toContain("gone");
  expect(text).toContain('{"sourceNodeID":"100001","targetNodeID":"110001"}');
});

test("a node that no run reaches is removed, start and end never", () => {
  expect(mended(finding("WF107", { node_id: "110001" }))?.[1]).not.toContain('"id":"110001"');
  expect(mended(finding("WF107", { node_id: "100001" }))).toBeUndefined();
});

test("an input that nothing reads is removed where the finding points to it", () => {
  const pointer = "/nodes/1/data/inputs/inputParameters/1/name";
  expect(mended(finding("WF208", { json_pointer: pointer }))?.[1]).toContain('[{"name":"used"}]');
  expect(mended(finding("WF208", { json_pointer: "/nodes/1" }))).toBeUndefined();
});

test("what somebody has to decide is not mended", () => {
  expect(mended(finding("WF206", { node_id: "110001" }))).toBeUndefined();
});
