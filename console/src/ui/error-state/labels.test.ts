import { expect, test } from "vitest";
import { headOf, labelOf } from "./labels";

test.each([
  ["base_url: no query.", "base_url", "no query."],
  ["tools[0].name：最多 20 个字符。", "tools[0].name", "最多 20 个字符。"],
  ["Unit price: a value is required.", "", "Unit price: a value is required."],
  ["WF101 (node a): gone.", "", "WF101 (node a): gone."],
  ["There is no https://a.example.", "", "There is no https://a.example."],
])("the field of %j is %j", (line, path, rest) => {
  expect(headOf(line)).toMatchObject({ path, rest });
});

test.each([
  ["name", "Name", ""],
  ["suggestions[2]", "Questions", "[2]"],
  ["connection.base_url", "Address", ""],
  ["connection.model", "", "connection.model"],
  ["router.rules[0].words", "Rules", "[0].words"],
  ["renamed", "", "renamed"],
])("%s is called %j, and inside of it lies %j", (path, label, inner) => {
  const labels = {
    name: "Name",
    suggestions: "Questions",
    "connection.base_url": "Address",
    "router.rules": "Rules",
  };
  expect(labelOf(path, labels)).toEqual({ label, inner });
});
