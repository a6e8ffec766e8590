import { expect, expectAccessible, signIn, test } from "./fixture";
import { startUpstream } from "./upstream";

test("a model is stored once its key works, and asked", async ({ page, context, server }) => {
  const upstream = await startUpstream();
  await signIn(context, server);
  await page.goto("/console/models/new");
  await page.getByLabel("Address").fill(upstream.url);
  await page.getByLabel("Key", { exact: true }).fill("sk-wrong");
  await page.getByLabel("Name", { exact: true }).fill("desk-model");
  await page.getByLabel("Name at the provider").fill("error-key");
  await page.getByRole("button", { name: "Test and save" }).click();
  await expect(page.getByText("Not everything works, so nothing was saved.")).toBeVisible();
  await expect(page.getByRole("img", { name: "Fails" })).toBeVisible();
  await expect(page).toHaveURL(/models\/new$/);
  await expectAccessible(page);
  await page.getByLabel("Name at the provider").fill("capable");
  await page.getByRole("button", { name: "Test and save" }).click();
  await expect(page.getByRole("heading", { name: "desk-model", exact: true })).toBeVisible();
  await expect(page.getByText("The last test passed")).toBeVisible();
  await page.getByLabel("Message").fill("one two three");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(page.getByTestId("trial-answer")).toHaveText("one two three");
  await expectAccessible(page);
  const { id } = await server.call<{ id: string }>("GET", "/admin/v1/models/desk-model");
  await server.call("DELETE", `/admin/v1/models/${id}`);
  await upstream.stop();
});
