import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, signIn, test } from "./fixture";

test.skip(!process.env["CONSOLE_LONG"], "single steps of it are tried elsewhere");

const LOCKED = join(
  import.meta.dirname,
  "../../../tests/fixtures/documents/password-protected.pdf",
);
const COUNT = 40;
const READY = 1;
const FAILED = 9;

test("an import of forty files is whole although the server is killed in its middle", async ({
  browser,
  server,
}) => {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/datasets`,
    { name: "Handbook" },
  );
  const states = async () => {
    const path = `/admin/v1/datasets/${id}/documents?limit=100`;
    const { items } = await server.call<{ items: { status: number }[] }>("GET", path);
    return {
      ready: items.filter(({ status }) => status === READY).length,
      failed: items.filter(({ status }) => status === FAILED).length,
    };
  };
  // A context of its own: pages complain while their server is away.
  const context = await browser.newContext({ baseURL: server.url, locale: "en-US" });
  await signIn(context, server);
  const page = await context.newPage();
  await page.goto(`/console/w/${server.workspaceId}/knowledge/${id}/import`);
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles([
      ...Array.from({ length: COUNT - 2 }, (_, index) => chapter(index)),
      { name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 no") },
      { name: "locked.pdf", mimeType: "application/pdf", buffer: await readFile(LOCKED) },
    ]);
  await page.getByRole("button", { name: `Import ${COUNT} sources` }).click();
  await expect(page.getByRole("tab", { name: "Documents" })).toBeVisible();
  await expect.poll(states).not.toEqual({ ready: 0, failed: 0 });
  await server.killAndBegin();

  await expect.poll(states).toEqual({ ready: COUNT - 2, failed: 2 });
  const search = page.getByRole("searchbox");
  for (const name of ["broken.pdf", "locked.pdf"]) {
    await search.fill(name);
    await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("Failed");
  }
  await search.fill("");
  await expect(page.getByText(/^(Waiting|Reading|\d+ %)/)).toHaveCount(0);
  await context.close();
});

function chapter(index: number) {
  const lines = Array.from({ length: 60 }, (_, line) => `Rule ${line} of part ${index} holds.`);
  const buffer = Buffer.from(`# Part ${index}\n\n${lines.join("\n\n")}`);
  return { name: `part-${index}.md`, mimeType: "text/markdown", buffer };
}
