// @vitest-environment node
import { expect, test } from "vitest";
import { parse } from "../document/parse";
import { field } from "./field";
import { graphOf } from "./graph";
import { resolved } from "./output";
import { unknownVariables, variablesIn } from "./variables";

const variable = (source: string, path: readonly string[], type = "string") => ({
  type,
  value: { type: "ref", content: { source, path, blockID: "", name: "" } },
});

const canvas = graphOf(
  parse(
    JSON.stringify({
      nodes: [
        {
          id: "1",
          type: "1",
          data: {
            nodeMeta: { title: "Start" },
            outputs: [
              {
                name: "people",
                type: "list",
                schema: {
                  type: "object",
                  schema: [
                    { name: "name", type: "string" },
                    { name: "tags", type: "list", schema: { type: "string" } },
                  ],
                },
              },
            ],
          },
        },
        {
          id: "2",
          type: "15",
          data: {
            inputs: {
              inputParameters: [
                { name: "a", input: variable("global_variable_user", ["city"]) },
                { name: "b", input: variable("global_variable_app", ["rounds"], "integer") },
                { name: "c", input: variable("global_variable_app", ["shop", "name"]) },
                { name: "d", input: variable("global_variable_system", ["sys_uuid"]) },
              ],
            },
          },
        },
      ],
      edges: [],
    }),
  ).value,
);

const named = (all: ReturnType<typeof variablesIn>) =>
  all.map(({ source, fields }) => [source, fields.map(({ name, type }) => `${name} ${type}`)]);

test("variables are known by their use, and those that are declared by their declaration", () => {
  const source = "global_variable_app";
  const declared = [
    { source, fields: [field("rounds", "float"), field("theme", "string")] },
  ] as const;
  expect(named(variablesIn(canvas, declared))).toEqual([
    ["global_variable_user", ["city string"]],
    ["global_variable_app", ["rounds float", "theme string", "shop object"]],
    ["global_variable_system", ["sys_uuid string"]],
  ]);
});

test("a name that nothing has yet can become a variable, but none of the system", () => {
  const known = variablesIn(canvas, []);
  expect(named(unknownVariables(known, "city", field("", "integer")))).toEqual([
    ["global_variable_app", ["city integer"]],
  ]);
  expect(unknownVariables(known, "no name", undefined)).toEqual([]);
});

test("a reference tells whether it takes the first element of a list", () => {
  const read = (...segments: string[]) => {
    const reference = { path: [], source: "block-output", blockId: "1", segments };
    const found = resolved(canvas, "2", reference, () => []);
    return [found?.field?.type, found?.isFirst];
  };
  expect(read("people")).toEqual(["list", false]);
  expect(read("people", "name")).toEqual(["string", true]);
  expect(read("people", "tags")).toEqual(["list", true]);
});
