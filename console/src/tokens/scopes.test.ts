import { expect, test } from "vitest";
import { GROUPS, presetOf, SCOPE_GROUPS, scopesOf } from "./scopes";

const ALL = GROUPS.flatMap((group) => SCOPE_GROUPS[group]);

test("building includes chatting, and neither manages anything", () => {
  const build = scopesOf("build", ALL) ?? [];
  expect(build).toEqual(expect.arrayContaining([...(scopesOf("chat", ALL) ?? [])]));
  expect(build).not.toContain("workspace.write");
  expect(build).not.toContain("admin");
});

test("a preset grants nothing that its maker has not", () => {
  expect(scopesOf("build", ["chat", "file", "bot.read"])).toEqual(["chat", "file", "bot.read"]);
});

test("what was granted is named by its preset", () => {
  expect(presetOf(null, ALL)).toBe("all");
  expect(presetOf([...(scopesOf("chat", ALL) ?? [])].reverse(), ALL)).toBe("chat");
  expect(presetOf([...(scopesOf("build", ALL) ?? [])], ALL)).toBe("build");
  expect(presetOf(["chat"], ALL)).toBe("own");
  expect(presetOf(["chat", "bot.read", "bot.write"], ALL)).toBe("own");
});
