import { expect, test } from "vitest";
import { chosenOf, found, questionOf, shortcutOf } from "./shortcuts";

const route = shortcutOf({
  id: "1",
  name: "Plan a route",
  command: "/route",
  send_type: "panel",
  template_query: "From {{from}} to {{to}} with {{map}}",
  components: [
    { name: "from", default_value: "Oslo" },
    { name: "to", input_type: "select", options: ["Bergen", "Narvik"] },
    { name: "map", input_type: "upload_image" },
    { name: "secret", hide: true },
  ],
});
const greet = shortcutOf({ id: "2", name: "问候", template_query: "Say hello." });
const FILE = { id: "9", name: "map.png", kind: "image" } as const;

test("a shortcut has the fields that people see, and none where its text is sent at once", () => {
  expect(route.fields.map(({ name, kind }) => [name, kind])).toEqual([
    ["from", "text"],
    ["to", "select"],
    ["map", "file"],
  ]);
  expect(route.command).toBe("route");
  expect(greet.fields).toEqual([]);
});

test.each([
  ["/", ["1", "2"]],
  ["/ROU", ["1"]],
  ["/问", ["2"]],
  ["/route to", []],
  ["see /route", []],
  ["", []],
])("%j finds %j", (question, ids) => {
  expect(found([route, greet], question).map(({ id }) => id)).toEqual(ids);
});

test("what was filled in stands in the question, and goes along under its names", () => {
  const filled = { from: "Oslo", to: "Bergen", map: FILE };
  expect(questionOf(route, filled)).toBe("From Oslo to Bergen with map.png");
  expect(chosenOf(route, filled)).toEqual({
    id: "1",
    values: { from: "Oslo", to: "Bergen", map: '{"type":"image","file_id":"9"}' },
  });
});

test("a shortcut without a text asks by its name", () => {
  expect(questionOf({ ...greet, template: "" }, {})).toBe("问候");
});
