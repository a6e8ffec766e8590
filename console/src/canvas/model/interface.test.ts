// @vitest-environment node
import { expect, test } from "vitest";
import { parse } from "../document/parse";
import { graphOf } from "./graph";
import { changeSize, nextVersion } from "./interface";

type Named = { name: string; type: string; required?: boolean };

function canvas(inputs: readonly Named[], outputs: readonly Named[], more = {}) {
  const given = outputs.map(({ name, type }) => ({
    name,
    input: { type, value: { type: "literal", content: "" } },
  }));
  const nodes = [
    { id: "100001", type: "1", data: { outputs: inputs } },
    {
      id: "900001",
      type: "2",
      data: {
        inputs: { terminatePlan: "returnVariables", inputParameters: given, ...more },
      },
    },
  ];
  return graphOf(parse(JSON.stringify({ nodes, edges: [] })).value);
}

const subject = { name: "subject", type: "string" };
const verdict = { name: "verdict", type: "string" };
const old = canvas([subject], [verdict]);

test("what callers have to follow is major, what they may use minor, the rest a patch", () => {
  const sizes = {
    same: canvas([subject], [verdict]),
    otherInput: canvas([{ ...subject, type: "integer" }], [verdict]),
    inputGone: canvas([], [verdict]),
    inputRequired: canvas([{ ...subject, required: true }], [verdict]),
    inputAdded: canvas([subject, { name: "tone", type: "string" }], [verdict]),
    requiredAdded: canvas([subject, { name: "tone", type: "string", required: true }], [verdict]),
    outputGone: canvas([subject], []),
    outputAdded: canvas([subject], [verdict, { name: "why", type: "string" }]),
    givesText: canvas([subject], [verdict], { terminatePlan: "useAnswerContent" }),
  };
  const found = Object.entries(sizes).map(([name, next]) => [name, changeSize(old, next)]);
  expect(Object.fromEntries(found)).toEqual({
    same: "patch",
    otherInput: "major",
    inputGone: "major",
    inputRequired: "major",
    inputAdded: "minor",
    requiredAdded: "major",
    outputGone: "major",
    outputAdded: "minor",
    givesText: "major",
  });
});

test("a version is counted on where the change says", () => {
  expect(nextVersion("v1.2.3", "major")).toBe("v2.0.0");
  expect(nextVersion("v1.2.3", "minor")).toBe("v1.3.0");
  expect(nextVersion("1.2.3", "patch")).toBe("1.2.4");
  expect(nextVersion("", "patch")).toBe("v0.0.1");
});
