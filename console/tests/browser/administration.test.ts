import { expect, expectAccessible, prefer, signIn, test } from "./fixture";

test("a user is made, let in by a link, and put out when disabled", async ({
  browser,
  console: page,
  server,
}) => {
  await page.getByRole("link", { name: "Administration" }).click();
  await page.getByRole("button", { name: "New user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name to sign in with").fill("carla");
  await dialog.getByLabel("Name shown to others").fill("Carla");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create user" }).click();
  const address = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "Done" }).click();
  const other = await browser.newContext({ baseURL: server.url });
  const theirs = await other.newPage();
  await theirs.goto(address);
  await theirs.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await theirs.getByRole("button", { name: "Begin" }).click();
  await theirs.waitForURL(/\/w\//);
  const row = page.getByRole("row", { name: /Carla/ });
  await row.getByRole("button", { name: /More actions/ }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Disable account" }).click();
  await expect(row).toContainText("Disabled");
  await expect
    .poll(async () => (await other.request.get(`${server.url}/admin/v1/auth/session`)).status(), {
      timeout: 3000,
    })
    .toBe(401);
  await other.close();

  await page.getByRole("tab", { name: "Audit log" }).click();
  await page.getByRole("searchbox").fill("admin.users.update");
  const entry = page.getByRole("row", { name: /admin\.users\.update/ }).first();
  const sheet = page.getByRole("dialog", { name: "admin.users.update" });
  await entry.getByRole("button", { name: "Details" }).click();
  await expect(sheet).toContainText("disabled_at");
  await expectAccessible(page);
  await sheet.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Check the chain" }).click();
  await expect(page.getByText(/The chain is intact/)).toBeVisible();
});

test("an application of any workspace is disabled, let in again and deleted", async ({
  signedIn: page,
  server,
}) => {
  await server.call("POST", `/admin/v1/workspaces/${server.workspaceId}/oauth-apps`, {
    name: "Tide tables",
    type: "device",
    permissions: ["chat"],
  });
  await page.goto("/console/admin/apps?q=tide");
  const row = page.getByRole("row", { name: /Tide tables/ });
  const act = async (name: string) => {
    await row.getByRole("button", { name: /More actions/ }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await act("Disable application");
  await page.getByRole("button", { name: "Disable application" }).click();
  await expect(row).toContainText("Disabled");
  await expectAccessible(page);
  await act("Let in again");
  await expect(row).toContainText("Works");
  await act("Delete application");
  await page.getByRole("button", { name: "Delete application" }).click();
  await expect(page.getByText("No application matches")).toBeVisible();
});

test("a workspace gets limits of its own, and is closed and opened again", async ({
  signedIn: page,
  server,
}) => {
  await server.call("POST", "/admin/v1/workspaces", { name: "Night ferries" });
  await page.goto("/console/admin/workspaces?q=night");
  const row = page.getByRole("row", { name: /Night ferries/ });
  const act = async (name: string) => {
    await row.getByRole("button", { name: /More actions/ }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await act("Limits");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Number of files" }).fill("20");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await expect(row).toContainText("Limits of its own");
  await act("Suspend");
  await page.getByRole("button", { name: "Suspend workspace" }).click();
  await expect(row).toContainText("Suspended");
  await act("Open again");
  await expect(row).toContainText("Open");
});

test("the administration is accessible in the dark and in Chinese", async ({
  context,
  page,
  server,
}) => {
  await prefer(context, server, "zh", "dark");
  await signIn(context, server);
  for (const tab of ["users", "groups", "workspaces", "providers", "audit"]) {
    await page.goto(`/console/admin/${tab}`);
    await expect(page.getByRole("tab", { selected: true })).toBeVisible();
    await expect(page.getByRole("tabpanel")).not.toBeEmpty();
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
