import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "./fixture";

const EXAMPLES = join(import.meta.dirname, "../../../tests/fixtures/workflow");
const file = (name: string) => join(EXAMPLES, `${name}.json`);
const FILES = ["ex07_child_workflow", "ex07_child", "ex08_model_json_message"].map(file);

test("canvases are looked at together, get what they miss, and keep their bytes", async ({
  signedIn: page,
  server,
}) => {
  await page.goto(`/console/w/${server.workspaceId}/workflows`);
  await page.getByRole("button", { name: "Import" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import canvases" });
  await dialog.locator("input[type=file]").first().setInputFiles(FILES);
  await expect(dialog.getByRole("listitem").filter({ hasText: /\d nodes/ })).toHaveCount(3);
  const missing = dialog.getByRole("region", { name: "Not in this workspace" });
  const model = missing.getByRole("combobox", { name: "Stands for scripted-model" });
  await model.click();
  await page.getByRole("option").first().click();
  const chosen = await model.inputValue();
  await dialog.getByRole("button", { name: "Import 3 files" }).click();
  await expect(dialog.getByRole("button", { name: "Open", exact: true })).toHaveCount(3);
  await dialog
    .getByRole("listitem")
    .filter({ hasText: "ex08" })
    .getByRole("button", { name: "Open", exact: true })
    .click();
  await expect(page.getByRole("application").first()).toBeVisible();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const exported = await fetch(`${server.url}/admin/v1/workflows/${id}/export`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  const models = await server.call<{ items: { id: string; display: { name: string } }[] }>(
    "GET",
    "/admin/v1/models?type=llm",
  );
  const own = models.items.find((each) => each.display.name === chosen)?.id ?? "";
  const text = readFileSync(FILES[2] ?? "", "utf8");
  // The model is all that differs, under both of its names: the rest is as it was brought.
  const mapped = text.replace('"content": "100"', `"content": "${own}"`);
  expect(await exported.text()).toBe(
    mapped.replace('"content": "scripted-model"', `"content": "${own}"`),
  );
});
