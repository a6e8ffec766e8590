import { expect, test } from "vitest";
import { isTooShort, parametersShown, reviewOf } from "./rules";

test.each([
  ["curl https://api.example.com/a", "curl"],
  ["  $ curl -X POST https://api.example.com/a", "curl"],
  ["openapi: 3.1.0\ninfo: {title: curl}", "openapi"],
  ['{"swagger": "2.0"}', "openapi"],
])("a document %j is read as %s", (text, format) => {
  expect(reviewOf({ kind: "document", text })).toEqual({ format, data: text.trim(), url: "" });
});

test("an address is fetched by the server, and no text is sent", () => {
  expect(reviewOf({ kind: "address", text: " https://a.example/openapi.json " })).toEqual({
    format: "openapi",
    url: "https://a.example/openapi.json",
  });
});

test.each([
  ["", true],
  ["Get weather", true],
  ["Returns the weather of a city for the next days.", false],
  ["查询天气", true],
  ["查询某个城市未来几天的天气", false],
])("%j is too short to choose by: %s", (description, isShort) => {
  expect(isTooShort(description)).toBe(isShort);
});

test("what a model does not see is not among the parameters", () => {
  const parameter = (name: string, visible = true) => ({
    name,
    visible,
    description: "",
    required: false,
    sub_parameters: [],
    enum: [],
    assist_type: "",
    style: "",
    alias: name === "b" ? "second" : "",
  });
  const tool = {
    name: "t",
    description: "",
    method: "GET",
    path: "/",
    parameters: ["a", "b", "c", "d", "e", "f"].map((name) => parameter(name, name !== "a")),
    responses: [],
    body_is_whole: false,
    disabled: false,
    needs_approval: false,
    returns_directly: false,
    workflow_id: "",
  };
  expect(parametersShown(tool)).toEqual({ names: ["second", "c", "d", "e"], more: 1 });
});
