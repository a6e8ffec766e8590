import { expect, test } from "vitest";
import { sampleAgent } from "../sample-agent";
import { comparisonOf } from "./comparison";

const NAMES = new Map([["7/8", "get_weather"]]);
const tool = (approval: "auto" | "always") =>
  ({ plugin_id: "7", tool_id: "8", version: "", defaults: {}, secrets: [], approval }) as const;

const agent = (changed: object) => ({ ...sampleAgent(), ...changed });

function found(left: object, right: object, hasMinor = false) {
  const sections = comparisonOf(agent(left), agent(right), NAMES, hasMinor);
  return sections.map(({ name, changes }) => [
    name,
    changes.map(({ kind, ...rest }) => [kind, rest]),
  ]);
}

test("an agent does not differ from itself", () => {
  expect(found({}, {}, true)).toEqual([]);
});

test("texts differ in the section that has them", () => {
  expect(found({ prompt: { text: "Be kind." } }, { prompt: { text: "Be brief." } })).toEqual([
    [
      "persona",
      [["changed", { key: "prompt", name: undefined, left: "Be kind.", right: "Be brief." }]],
    ],
  ]);
});

test("tools come, go and change by what they are, under their names", () => {
  expect(found({ plugins: [] }, { plugins: [tool("auto")] })).toEqual([
    ["tools", [["added", { key: "7/8", name: "get_weather", left: "", right: "approval: auto" }]]],
  ]);
  expect(found({ plugins: [tool("auto")] }, { plugins: [tool("always")] })).toEqual([
    [
      "tools",
      [
        [
          "changed",
          { key: "7/8", name: "get_weather", left: "approval: auto", right: "approval: always" },
        ],
      ],
    ],
  ]);
});

test("the version that publishing found is no change of what takes the newest one", () => {
  const [open, pinned, older] = ["", "v2", "v1"].map((version) => ({ ...tool("auto"), version }));
  expect(found({ plugins: [pinned] }, { plugins: [open] })).toEqual([]);
  expect(found({ plugins: [older] }, { plugins: [pinned] })).toMatchObject([
    ["tools", [["changed", {}]]],
  ]);
});

test("the order of things counts only for those who want all", () => {
  const [one, other] = ["1", "2"].map((id) => ({ ...tool("auto"), tool_id: id }));
  const [left, right] = [{ plugins: [one, other] }, { plugins: [other, one] }];
  expect(found(left, right)).toEqual([]);
  expect(found(left, right, true)).toMatchObject([["tools", [["changed", { key: "order" }]]]]);
});

test("members of a team stand under the names of their agents", () => {
  const member = { agent_id: "5", kind: "delegate", name: "ask", agent_name: "Timetable" };
  expect(found({ agents: [] }, { agents: [member] })).toMatchObject([
    ["team", [["added", { name: "Timetable", right: "kind: delegate\nname: ask" }]]],
  ]);
});
