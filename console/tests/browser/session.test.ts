import { expect, expectAccessible, signIn, test } from "./fixture";

const PASSWORD = "four unrelated words here";

test("a session that ends while one writes is renewed over the page, and nothing is lost", async ({
  context,
  signedIn: page,
  server,
}) => {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/agents`,
    { name: "Half written" },
  );
  await page.goto(`/console/w/${server.workspaceId}/agents/${id}`);
  const persona = page.getByRole("textbox", { name: /^Persona/ });
  await persona.click();
  await context.clearCookies();
  // At once: what is typed after the question is there goes into its field.
  await page.keyboard.insertText("You count sheep.");
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  const byToken = dialog.getByRole("button", { name: /token/ });
  if (await byToken.isVisible()) await byToken.click();
  await dialog.getByLabel(/token/i).fill(server.token);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(persona).toContainText("You count sheep.");
  await expect
    .poll(async () => {
      const found = await server.call<{ prompt: { text: string } }>(
        "GET",
        `/admin/v1/agents/${id}`,
      );
      return found.prompt.text;
    })
    .toBe("You count sheep.");
});

test("signing out in one tab signs out the others", async ({ context, page, server }) => {
  await signIn(context, server);
  const place = `/console/w/${server.workspaceId}/agents`;
  const other = await context.newPage();
  for (const each of [page, other]) {
    await each.goto(place);
    await expect(each.getByRole("heading", { level: 1 })).toHaveText("Agents");
  }
  await page.getByRole("button", { name: /account and settings/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/sign-in/);
  await other.waitForURL(/sign-in/);
});

const READ = ["Home", "Agents", "Workflows", "Knowledge", "Plugins", "Databases", "Prompts"];
const EDITED = [...READ, "Runs", "Links", "Usage"];
/** What the rail shows to a role; the rest says why it does not open. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  viewer: READ,
  editor: EDITED,
  admin: EDITED,
};
const WHERE = { Runs: "runs", Links: "links", Usage: "usage" } as const;

test("every role sees what it may, and is told what it may not", async ({ browser, server }) => {
  const team = await server.call<{ id: string }>("POST", "/admin/v1/workspaces", { name: "Roles" });
  for (const [role, shown] of Object.entries(SHOWN)) {
    const name = `role-${role}`;
    const { user } = await server.call<{ user: { id: string } }>("POST", "/admin/v1/users", {
      name,
    });
    const members = `/admin/v1/workspaces/${team.id}/members`;
    await server.call("POST", members, { user_id: user.id, role });
    const { url } = await server.call<{ url: string }>("POST", `/admin/v1/users/${user.id}/link`);
    const context = await browser.newContext({ baseURL: server.url, locale: "en-US" });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Begin" }).click();
    await page.waitForURL(/\/w\/\d+$/);
    await page.goto(`/console/w/${team.id}/agents`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Agents");
    const rail = page.getByRole("navigation").first();
    const names = await rail.getByRole("link").allTextContents();
    const all = names.filter((each) => !["Settings", "Models", "Conversations"].includes(each));
    expect(all, role).toEqual(shown);
    await expect(page.getByRole("link", { name: "Administration" })).toHaveCount(0);
    const make = page.getByRole("button", { name: "New agent" });
    if (role === "viewer") await expect(make).toHaveCount(0);
    else await expect(make.first()).toBeVisible();
    for (const [section, path] of Object.entries(WHERE)) {
      if (shown.includes(section)) continue;
      await page.goto(`/console/w/${team.id}/${path}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("You cannot open this");
    }
    await context.close();
  }
});
