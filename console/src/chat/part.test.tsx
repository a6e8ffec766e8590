import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, test, vi } from "vitest";
import { Part, said } from "./part";
import { Written } from "./written";

test("a text is Markdown from the first frame on where the reader is there", async () => {
  said.begin();
  await vi.waitFor(() => expect(said.snapshot()).toBeDefined(), { timeout: 60_000 });
  const box = document.createElement("div");
  const root = createRoot(box);
  flushSync(() => root.render(<Written text="So **much**" sources={[]} />));
  expect(box.querySelector("strong")?.textContent).toBe("much");
  root.unmount();
});

test("a part is fetched once, and again only where it did not come", async () => {
  const fetch = vi.fn(() => Promise.resolve("here"));
  fetch.mockRejectedValueOnce(new Error("away"));
  const part = new Part(fetch);
  part.begin();
  part.begin();
  await vi.waitFor(() => {
    part.begin();
    expect(part.snapshot()).toBe("here");
  });
  part.begin();
  expect(fetch).toHaveBeenCalledTimes(2);
});
