import { expect, test } from "vitest";
import { badTool, firstParameters, parametersIn } from "./client-tool";

const NONE = firstParameters(undefined);

test("a new tool takes no arguments, and is refused for its name alone", () => {
  expect(parametersIn(NONE)).toEqual({ type: "object", properties: {}, required: [] });
  expect(badTool("open_door", NONE, [])).toBeUndefined();
  expect(badTool("", NONE, [])).toEqual({ field: "name", why: "name" });
});

test.each([
  ["open door", NONE, "name"],
  ["a".repeat(65), NONE, "name"],
  ["known", NONE, "taken"],
  ["open", "{", "json"],
  ["open", "[]", "object"],
  ["open", '{"type":"string"}', "object"],
] as const)("%s with %s is refused", (name, schema, why) => {
  expect(badTool(name, schema, ["known"])?.why).toBe(why);
});
