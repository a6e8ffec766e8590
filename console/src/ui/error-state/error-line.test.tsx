// @vitest-environment happy-dom
import { act, render } from "@testing-library/react";
import { Suspense } from "react";
import { expect, test } from "vitest";
import { switchLanguage } from "../../text/catalogue";
import { uiText } from "../text";
import { ErrorLine } from "./error-line";
import { reasonsText } from "./reasons";

const MESSAGE =
  "name: at most 50.\nurls[1]: a name is required.\nbase_url: no query and no fragment.";

async function shown(language: "en" | "zh"): Promise<HTMLElement> {
  await Promise.all([switchLanguage(language), uiText.load(language), reasonsText.load("zh")]);
  const labels =
    language === "en" ? { name: "Name", urls: "Pages" } : { name: "名称", urls: "网页" };
  return await act(
    () =>
      render(
        <Suspense>
          <ErrorLine failure={{ status: 400, message: MESSAGE }} labels={labels} />
        </Suspense>,
      ).container,
  );
}

test("a refusal calls the fields of its form by their labels, others as programs do", async () => {
  const english = await shown("en");
  expect(english.textContent).toContain("Name: at most 50.\nPages (number 2): a name is required.");
  expect(english.querySelector("code")?.textContent).toBe("base_url");
  const chinese = await shown("zh");
  expect(chinese.textContent).toContain("名称：最多 50。\n网页（第 2 项）：需要填写名称。");
  expect(chinese.querySelector("code")?.textContent).toBe("base_url");
});
