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

const open = parse(
  JSON.stringify({
    nodes: [
      { id: "100001", type: "1", data: {} },
      {
        id: "110001",
        type: "15",
        data: {
          inputs: {
            inputParameters: [
              {
                name: "lost",
                input: {
                  type: "list",
                  schema: { type: "string" },
                  value: {
                    type: "ref",
                    content: { source: "block-output", blockID: "555555", name: "x" },
                  },
                },
              },
            ],
            concatParams: [
              {
                name: "concatResult",
                input: { value: { type: "literal", content: "{{lost}} {{who}} {{no name}}" } },
              },
            ],
          },
        },
      },
      {
        id: "120001",
        type: "21",
        data: {},
        blocks: [{ id: "120002", type: "15", data: {} }],
        edges: [],
      },
      { id: "900001", type: "2", data: {} },
    ],
    edges: [{ sourceNodeID: "100001", targetNodeID: "110001" }],
  }),
).value;

function healed(problem: Diagnostic) {
  const fix = fixOf(open, problem);
  return fix && [fix.kind, JSON.stringify(toJson(fix.apply(open)))];
}

test("a way that leads nowhere leads to the end, inside a loop to that of the iteration", () => {
  const outer = healed(finding("WF108", { node_id: "110001" }));
  expect(outer?.[0]).toBe("connectEnd");
  expect(outer?.[1]).toContain('{"sourceNodeID":"110001","targetNodeID":"900001"}');
  expect(healed(finding("WF106", { node_id: "120002" }))?.[1]).toContain(
    '{"sourceNodeID":"120002","targetNodeID":"120001","targetPortID":"loop-function-inline-input"}',
  );
  expect(healed(finding("WF108", { node_id: "100001" }))).toBeUndefined();
  expect(healed(finding("WF108", { node_id: "900001" }))).toBeUndefined();
});

test("a source that is gone is taken away, the type of the input stays", () => {
  const input = "/nodes/1/data/inputs/inputParameters/0/input";
  const [kind, text] = healed(finding("WF201", { json_pointer: input })) ?? [];
  expect(kind).toBe("clearSource");
  expect(text).toContain('"schema":{"type":"string"},"value":{"type":"ref"');
  expect(text).not.toContain("555555");
});

test("a name that a text has and no input becomes an input, if one can be called so", () => {
  const at = {
    node_id: "110001",
    json_pointer: "/nodes/1/data/inputs/concatParams/0/input/value/content",
  };
  const named = (name: string) =>
    healed(
      finding("WF207", { ...at, message: `The text names '${name}', which is no parameter.` }),
    );
  expect(named("who")?.[0]).toBe("addInput");
  expect(named("who")?.[1]).toContain('{"name":"who","input":{"type":"string"');
  expect(named("lost")).toBeUndefined();
  expect(named("no name")).toBeUndefined();
});

test("what somebody has to decide is not mended", () => {
  expect(mended(finding("WF206", { node_id: "110001" }))).toBeUndefined();
});
