import { expect, test } from "vitest";
import { uiText } from "../text";
import { failureWords } from "./failure";
import { reasonsText } from "./reasons";

test.each([
  [{ status: 0 }, "The server does not answer"],
  [{ status: 502 }, "The server does not answer"],
  [{ status: 504 }, "The server does not answer"],
  [{ status: 503 }, "The server is restarting"],
  [{ status: 403 }, "You cannot do this"],
  [{ status: 404 }, "Not here, or not for you"],
  [{ status: 429, retryAfterS: 1 }, "Too many requests"],
  [{ status: 500 }, "A defect on our side"],
  [{ status: 400 }, "The server refused this"],
  [{ status: 409 }, "The server refused this"],
  [{}, "This part of the page failed"],
])("an answer %o is said in words", async (facts, title) => {
  const text = await uiText.load("en");
  expect(failureWords({ message: "why", ...facts }, text).title).toBe(title);
});

test("details hold what helps to find it, and no contents", async () => {
  const text = await uiText.load("en");
  const { details } = failureWords({ message: "no", status: 500, code: 5000, logId: "l7" }, text);
  expect(details).toBe("no\nstatus 500\ncode 5000\nl7");
});

test("a refusal is said in Chinese by its reason, and in the server's words without one", async () => {
  const [text, reasons] = await Promise.all([uiText.load("zh"), reasonsText.load("zh")]);
  const why = (slug: string, status = 409) =>
    failureWords({ message: "name: no such words.", status, slug }, text, reasons).why;
  expect(why("database_name_taken")).toBe("此空间已有同名的数据表。");
  expect(why("plugin_invalid")).toBe("插件的某项设置不符合要求：name: no such words.");
  expect(why("something_new")).toBe("name: no such words.");
  expect(why("wrong_credentials", 401)).toBe("用户名或密码不正确。");
});
