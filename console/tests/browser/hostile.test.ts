import { expect, test } from "./fixture";
import { HOSTILE } from "./hostile";

/** Names are short; what is longer goes into the description whole. */
const NAME_LENGTH = 50;

/** What of a text a name may hold; control characters the server refuses. */
function nameOf(text: string): string {
  const letters = [...text].slice(0, NAME_LENGTH);
  return letters.join("").trim();
}

test("hostile texts stay texts on every list", async ({ console: page, server }) => {
  // A workspace of their own: lists of other tests stay short.
  const { id } = await server.call<{ id: string }>("POST", "/admin/v1/workspaces", {
    name: "Hostile",
  });
  const workspace = `/admin/v1/workspaces/${id}`;
  expect(HOSTILE.length).toBeGreaterThanOrEqual(120);
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (const raw of HOSTILE.filter((_, index) => index % 4 === lane)) {
        const text = raw.replace(/\p{Cc}/gu, " ");
        const name = nameOf(text);
        await server.call("POST", `${workspace}/agents`, { name, description: text });
        await server.call("POST", `${workspace}/prompts`, {
          name,
          description: text,
          prompt_text: text,
        });
      }
    }),
  );
  for (const list of ["agents", "prompts"]) {
    await page.goto(`/console/w/${id}/${list}`);
    const box = page.getByRole("grid");
    await expect(box.getByRole("row").nth(5)).toBeVisible();
    for (;;) {
      const isAtEnd = await box.evaluate((element) => {
        element.scrollBy(0, element.clientHeight);
        return element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
      });
      // Rows lead to screens of the console and nowhere else.
      const planted = box.locator(
        "script, iframe, object, embed, [onerror], [onload], a[href]:not([href^='/console/'])",
      );
      await expect(planted).toHaveCount(0);
      if (isAtEnd) break;
    }
  }
  await expect(page.locator("[role=grid] [role=row]").first()).toBeVisible();
});
