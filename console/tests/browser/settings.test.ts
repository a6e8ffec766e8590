import { expect, expectAccessible, LOOKS, prefer, signIn, test } from "./fixture";
import type { Server } from "./server";

function isDrawn(image: HTMLElement | SVGElement): boolean {
  return image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0;
}

/** What a token gets: for a chat with an agent, and for the list of agents. */
async function statuses(server: Server, token: string, agentId: string): Promise<number[]> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const message = { role: "user", content_type: "text", content: "Hello" };
  const chat = await fetch(`${server.url}/v3/chat`, {
    method: "POST",
    headers,
    body: JSON.stringify({ bot_id: agentId, user_id: "me", additional_messages: [message] }),
  });
  const agents = await fetch(`${server.url}/admin/v1/workspaces/${server.workspaceId}/agents`, {
    headers,
  });
  return [chat.status, agents.status];
}

test("a token for chats talks and sees no agents, and ends when it is revoked", async ({
  console: page,
  server,
}) => {
  const { items } = await server.call<{ items: { id: string; name: string }[] }>(
    "GET",
    `/admin/v1/workspaces/${server.workspaceId}/agents?published=true`,
  );
  const agentId = items.find((each) => each.name === "Assistant")?.id ?? "";
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("tab", { name: "My tokens" }).click();
  await expect(page).toHaveURL(/settings\/tokens$/);
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Web site");
  await expect(dialog.getByRole("radio", { name: /Chat only/ })).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create token" }).click();
  await expect(dialog).toContainText(`"bot_id":"`);
  const token = (await dialog.locator("code").first().textContent()) ?? "";
  expect(token).toMatch(/^pat_/);
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  expect(await statuses(server, token, agentId)).toEqual([200, 403]);
  const row = page.getByRole("row", { name: /Web site/ });
  await expect(row).toContainText("Chat only");
  await row.getByRole("button", { name: /More actions/ }).click();
  await page.getByRole("menuitem", { name: "Revoke token" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  await expect(row).toHaveCount(0);
  await expect.poll(() => statuses(server, token, agentId), { timeout: 3000 }).toEqual([401, 401]);
});

test("a workspace is made, filled with people, deleted, and brought back", async ({
  console: page,
  server,
}) => {
  await server.call("POST", "/admin/v1/users", { name: "beatrice", nickname: "Bea" });
  await page.getByRole("button", { name: /^Workspace / }).click();
  await page.getByRole("menuitem", { name: "New workspace" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Support team");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await expect(page.getByRole("button", { name: "Workspace Support team" })).toBeVisible();
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("tab", { name: "Members" }).click();
  await page.getByRole("button", { name: "Add member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Account").fill("beatr");
  await page.getByRole("option", { name: /Bea/ }).click();
  await dialog.getByRole("radio", { name: /Viewer/ }).check({ force: true });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Add member" }).click();
  const row = page.getByRole("row", { name: /Bea/ });
  await row.getByRole("combobox", { name: "Role of Bea" }).click();
  await page.getByRole("option", { name: "Editor" }).click();
  await expect(page.getByText("Bea: Editor")).toBeVisible();
  await row.getByRole("button", { name: /More actions/ }).click();
  await page.getByRole("menuitem", { name: "Remove member" }).click();
  await page.getByRole("button", { name: "Remove member" }).click();
  await expect(row).toHaveCount(0);
  await page.getByRole("tab", { name: "General" }).click();
  await page.getByRole("button", { name: "Delete workspace" }).click();
  await dialog.getByRole("textbox").fill("Support team");
  await dialog.getByRole("button", { name: "Delete workspace" }).click();
  await expect(page.getByText("Deleted Support team")).toBeVisible();
  await expect(page).not.toHaveURL(/settings/);
  // Whoever missed the word of it finds the way back later.
  await page.reload();
  await page.getByRole("button", { name: /^Workspace / }).click();
  await page.getByRole("menuitem", { name: "Recently deleted" }).click();
  await expect(page.getByText("7 days left")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Restore Support team" }).click();
  await expect(page.getByText("Support team is back")).toBeVisible();
  await expect(page.getByText("Recently deleted workspaces")).toHaveCount(0);
  await page.getByRole("button", { name: /^Workspace / }).click();
  await expect(page.getByRole("menuitemradio", { name: /Support team/ })).toBeVisible();
});

test("an icon of a workspace is chosen, shown where people switch, and removed", async ({
  console: page,
  server,
}) => {
  const icon = await page.request.get(`${server.url}/icons/agent.png`);
  const picture = { name: "icon.png", mimeType: "image/png", buffer: await icon.body() };
  await page.goto(`/console/w/${server.workspaceId}/settings/general`);
  const part = page.getByRole("region", { name: "Workspace", exact: true });
  const input = part.locator("input[type=file]");
  const switcher = page.getByRole("button", { name: /^Workspace / });
  await input.setInputFiles({ ...picture, buffer: Buffer.from("no picture") });
  await expect(part.getByRole("alert")).toContainText("no picture that can be shown here");
  await input.setInputFiles(picture);
  await expect(page.getByText("Icon changed")).toBeVisible();
  await expect(part.getByRole("alert")).toHaveCount(0);
  for (const place of [part, switcher]) {
    await expect.poll(() => place.locator("img").evaluate(isDrawn)).toBe(true);
  }
  await expectAccessible(page);
  await switcher.click();
  const entry = page.getByRole("menuitemradio", { checked: true });
  await expect.poll(() => entry.locator("img").evaluate(isDrawn)).toBe(true);
  await page.keyboard.press("Escape");
  await part.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Icon removed")).toBeVisible();
  await expect(switcher.locator("img")).toHaveCount(0);
});

test("new agents begin with the model and the language of the workspace", async ({
  signedIn: page,
  server,
}) => {
  await page.goto(`/console/w/${server.workspaceId}/settings/general`);
  const form = page.getByRole("region", { name: "Defaults" });
  await form.getByLabel("Default model").click();
  await page.getByRole("option", { name: /^offline/ }).click();
  await form.getByLabel("Language of new agents").click();
  await page.getByRole("option", { name: "中文" }).click();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();

  const made = await server.call<{ model: { model_name: string } }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/agents`,
    { name: "Beginner" },
  );
  expect(made.model.model_name).toBe("offline");
  await page.reload();
  await expect(form.getByLabel("Default model")).toHaveValue(/offline/);
  await form.getByRole("button", { name: "Clear" }).click();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(form.getByRole("button", { name: "Save" })).toBeDisabled();
});

test("an agent is shared with a group, and an application registered", async ({
  signedIn: page,
  server,
}) => {
  const place = `/console/w/${server.workspaceId}/settings`;
  await page.goto(`${place}/groups`);
  await page.getByRole("button", { name: "New group" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Harbour staff");
  await page.getByRole("button", { name: "Create group" }).click();
  const sheet = page.getByRole("dialog", { name: "Harbour staff" });
  await sheet.getByLabel("Add to the group").fill("admin");
  await page.getByRole("option", { name: /admin/i }).first().click();
  await expect(sheet.getByRole("button", { name: /^Take .* out of the group$/ })).toBeVisible();

  await page.goto(`${place}/sharing`);
  await page.getByLabel("Name").pressSequentially("Assist");
  await page.getByRole("option", { name: "Assistant" }).click();
  await page.getByLabel("Person or group").pressSequentially("Harb");
  await page.getByRole("option", { name: /Harbour staff/ }).click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect(page.getByRole("button", { name: "Stop sharing with Harbour staff" })).toBeVisible();

  await page.goto(`${place}/apps`);
  await page.getByRole("button", { name: "New application" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Booking desk");
  await dialog.getByLabel("Addresses to go back to").fill("https://desk.example/callback");
  await dialog.getByRole("button", { name: "Register application" }).click();
  await expect(dialog).toContainText("Client secret");
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(page.getByRole("row", { name: /Booking desk/ })).toContainText(
    "Server with a secret",
  );
});

for (const { theme, language } of LOOKS) {
  test(`settings are accessible, ${theme} and in ${language}`, async ({
    context,
    page,
    server,
  }) => {
    await prefer(context, server, language, theme);
    await signIn(context, server);
    for (const tab of ["general", "members", "groups", "sharing", "tokens", "services", "apps"]) {
      await page.goto(`/console/w/${server.workspaceId}/settings/${tab}`);
      await expect(page.getByRole("tab", { selected: true })).toBeVisible();
      await expect(page.getByRole("tabpanel")).not.toBeEmpty();
      await expectAccessible(page);
    }
  });
}
