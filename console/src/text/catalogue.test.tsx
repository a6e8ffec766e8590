import { act, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { expect, test } from "vitest";
import { Catalogue, switchLanguage, useText } from "./catalogue";

const loaded: string[] = [];
const words = new Catalogue<{ hello: string }>({
  en: async () => {
    loaded.push("en");
    return { text: { hello: "Hello" } };
  },
  zh: async () => {
    loaded.push("zh");
    return { text: { hello: "你好" } };
  },
});

function Greeting() {
  return <p>{useText(words).hello}</p>;
}

test("a switch of the language reaches what is on the screen, and loads each language once", async () => {
  await words.load("en");
  render(
    <Suspense fallback="…">
      <Greeting />
    </Suspense>,
  );
  expect(screen.getByText("Hello")).toBeTruthy();
  expect(loaded).toEqual(["en"]);
  for (const language of ["zh", "en", "zh"] as const) {
    await act(() => switchLanguage(language));
  }
  expect(screen.getByText("你好")).toBeTruthy();
  expect(document.documentElement.lang).toBe("zh-CN");
  expect(loaded).toEqual(["en", "zh"]);
});

test("texts in disguise are longer, accented and in brackets, also those that are made", async () => {
  const found = new Catalogue({
    en: async () => ({ text: { plain: "Save", made: (n: number) => `${n} files`, many: ["One"] } }),
    zh: async () => ({ text: { plain: "", made: (n: number) => String(n), many: [""] } }),
  });
  const text = await found.load("en-XA");
  expect(text.plain).toMatch(/^\[Šáṽé·+\]$/);
  expect(text.made(3)).toMatch(/^\[3 .+\]$/);
  expect(text.many[0]).toMatch(/^\[Óñé/);
});
