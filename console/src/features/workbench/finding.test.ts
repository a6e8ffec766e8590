import { expect, test } from "vitest";
import type { Finding } from "../../api/schema";
import { toldOf } from "./finding";
import { text as english } from "./text.en";
import { text as chinese } from "./text.zh";

const unpublished: Finding = {
  code: "agent_unpublished",
  severity: "error",
  field: "agents",
  message: "The server's words",
  params: { name: "Ada" },
};

test("a remark is said in the language of the person, with what it names", () => {
  expect(toldOf(unpublished, english.publishing.told)).toMatch(/The agent Ada is not published/);
  expect(toldOf(unpublished, chinese.publishing.told)).toMatch(/智能体“Ada”尚未发布/);
});

test("a remark of a newer server is in its own words", () => {
  const newer = { ...unpublished, ...JSON.parse('{"code":"of_tomorrow"}') };
  expect(toldOf(newer, chinese.publishing.told)).toBe("The server's words");
});
