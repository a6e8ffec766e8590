import { expect, expectAccessible, prefer, signIn, test } from "./fixture";

test("a link with a password lets a stranger chat who knows it", async ({
  browser,
  console: page,
  server,
}) => {
  await page.getByRole("link", { name: "Links" }).click();
  await page.getByRole("button", { name: "New link" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Which").fill("Assist");
  await page.getByRole("option", { name: "Assistant" }).click();
  await dialog.getByLabel("Name of the page").fill("Help desk");
  await dialog.getByRole("radio", { name: /^Password/ }).check({ force: true });
  await dialog.getByRole("textbox", { name: "Password" }).fill("open sesame");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create link" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Help desk");
  const preview = page.frameLocator('iframe[title="Preview of Help desk"]');
  await expect(preview.getByLabel("Password")).toBeVisible();
  await page.getByRole("textbox", { name: "Line below the chat" }).fill("Answers may be wrong.");
  await page.getByRole("main").getByRole("link", { name: "Links" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expectAccessible(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toHaveCount(0);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expectAccessible(page, "iframe");

  const address = (await page.locator("code").first().textContent()) ?? "";
  expect(address).toContain("/s/");
  const stranger = await browser.newContext({ baseURL: server.url });
  const chat = await stranger.newPage();
  await chat.goto(address);
  await chat.getByLabel("Password").fill("wrong");
  await chat.getByLabel("Password").press("Enter");
  await expect(chat.getByText("This is not the password.")).toBeVisible();
  await chat.getByLabel("Password").fill("open sesame");
  await chat.getByLabel("Password").press("Enter");
  await chat.getByLabel("Message").fill("Hello");
  await chat.getByRole("button", { name: "Send" }).click();
  await expect(chat.getByRole("button", { name: "Copy answer" })).toHaveCount(1);
  await expect(chat.getByText("Answers may be wrong.")).toBeVisible();
  await stranger.close();

  await page.getByRole("navigation").getByRole("link", { name: "Links" }).last().click();
  const row = page.getByRole("row", { name: /Help desk/ });
  await expect(row).toContainText("Password");
  await row.getByRole("button", { name: /More actions/ }).click();
  await page.getByRole("menuitem", { name: "Revoke link" }).click();
  await page.getByRole("button", { name: "Revoke link" }).click();
  await expect(page.getByRole("heading", { name: "No share links yet" })).toBeVisible();
  expect((await fetch(address)).status).toBe(404);
});

test("links are accessible in the dark and in Chinese", async ({ context, page, server }) => {
  const { items } = await server.call<{ items: { id: string }[] }>(
    "GET",
    `/admin/v1/workspaces/${server.workspaceId}/agents?published=true`,
  );
  const link = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/share-links`,
    { target_type: "agent", target_id: items[0]?.id, settings: { name: "客服" } },
  );
  await prefer(context, server, "zh", "dark");
  await signIn(context, server);
  await page.goto(`/console/w/${server.workspaceId}/links`);
  await expect(page.getByRole("row", { name: /客服/ })).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/console/w/${server.workspaceId}/links/${link.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("客服");
  await expectAccessible(page, "iframe");
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
