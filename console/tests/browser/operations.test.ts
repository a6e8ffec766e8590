import { rename } from "node:fs/promises";
import { join } from "node:path";
import { giveUp } from "./dead-letter";
import { expect, expectAccessible, test } from "./fixture";

test("a part that fails is red until it works again, and what was given up is delivered", async ({
  signedIn: page,
  server,
}) => {
  giveUp(server, {
    consumer: "model.registry_refresh",
    topic: "model.changed",
    payload: { name: "guide", change: "updated" },
    error: "The registry did not answer.",
  });
  await page.goto("/console/operations");
  const store = page.getByRole("listitem").filter({ hasText: "Object store" });
  await expect(store).toContainText("Works");
  const objects = join(server.dataDir, "objects");
  await rename(objects, `${objects}.away`);
  try {
    await expect(store).toContainText("Fails");
    await expectAccessible(page);
  } finally {
    await rename(`${objects}.away`, objects);
  }
  await expect(store).toContainText("Works");

  const badge = page.getByRole("link", { name: /^Operations.*1 event was given up/ });
  await expect(badge).toBeVisible();
  await page.getByRole("tab", { name: "Dead letters" }).click();
  const letter = page.getByRole("row", { name: /model\.changed/ });
  await letter.getByRole("button", { name: "Details" }).click();
  const sheet = page.getByRole("dialog", { name: "model.changed" });
  await expect(sheet).toContainText("The registry did not answer.");
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Deliver again" }).click();
  await expect(page.getByText("1 letter is delivered again")).toBeVisible();
  await expect(page.getByRole("heading", { name: "No event was given up" })).toBeVisible();
  await expect(badge).toHaveCount(0);
});
