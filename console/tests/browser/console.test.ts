import { expect, expectAccessible, prefer, signIn, test } from "./fixture";

const LISTS = ["", "agents", "workflows", "knowledge", "plugins", "databases", "prompts", "runs"];

test("a token leads in, a wrong one does not, and signing out ends it", async ({
  page,
  server,
}) => {
  await page.goto("/console/");
  await page.waitForURL(/sign-in/);
  await page.getByRole("button", { name: "Use an access token" }).click();
  const field = page.getByLabel("Access token");
  await field.fill("pat_wrong");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText("The token is wrong")).toBeVisible();
  await expectAccessible(page);
  await field.fill(server.token);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/w\/\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Home");
  await page.getByRole("button", { name: /account and settings/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/sign-in/);
  await page.goto("/console/models");
  await page.waitForURL(/sign-in/);
});

test("a one-time link sets a password, which then leads to where one wanted to go", async ({
  browser,
  server,
}) => {
  const password = "four unrelated words here";
  const { user } = await server.call<{ user: { id: string } }>("POST", "/admin/v1/users", {
    name: "grace",
  });
  const { url } = await server.call<{ url: string }>("POST", `/admin/v1/users/${user.id}/link`);
  const fresh = await browser.newContext({ baseURL: server.url, locale: "en-US" });
  const page = await fresh.newPage();
  await page.goto(url);
  await page.getByLabel("Name shown to others").fill("Grace");
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByText("7 characters more", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("button", { name: "Grace: account and settings" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/sign-in/);
  await page.goto(url);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link is used up");
  await page.goto("/console/sign-in?refused=expired&return_to=/console/account");
  await expect(page.getByText("began in another browser")).toBeVisible();
  await page.getByLabel("Name or e-mail").fill("grace");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/console\/account$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Account");
  await fresh.close();
});

test("an invitation leads a person with an account into the workspace", async ({
  browser,
  console: page,
  server,
}) => {
  const team = await server.call<{ id: string }>("POST", "/admin/v1/workspaces", { name: "Lab" });
  await page.reload();
  await page.goto(`/console/w/${team.id}/settings/members`);
  await page.getByRole("button", { name: "Invite by link" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Viewer", { exact: true }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = (await dialog.locator("code").textContent()) ?? "";
  await expect(dialog.getByText("0 of 1 came")).toBeVisible();
  const { user } = await server.call<{ user: { id: string } }>("POST", "/admin/v1/users", {
    name: "hedy",
  });
  const { url } = await server.call<{ url: string }>("POST", `/admin/v1/users/${user.id}/link`);
  const fresh = await browser.newContext({ baseURL: server.url, locale: "en-US" });
  const guest = await fresh.newPage();
  await guest.goto(url);
  await guest.getByLabel("Password").fill("four unrelated words here");
  await guest.getByRole("button", { name: "Begin" }).click();
  await guest.waitForURL(/\/w\/\d+$/);
  await guest.goto(link);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText("Join Lab");
  await expectAccessible(guest);
  await guest.getByRole("button", { name: "Join workspace" }).click();
  await guest.waitForURL(new RegExp(`/w/${team.id}`));
  await guest.goto(link);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(
    "This invitation leads nowhere",
  );
  await fresh.close();
});

test("agents are made, found, renamed, deleted, brought back, and taken along as files", async ({
  console: page,
}) => {
  await page.getByRole("button", { name: "New agent" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("合同审阅助手");
  await dialog.getByLabel("Purpose").fill("Reads contracts");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByRole("textbox", { name: /^Persona/ })).toBeVisible();
  await page.getByRole("link", { name: "Agents", exact: true }).first().click();
  const row = page.getByRole("row", { name: /合同审阅助手/ });
  await expect(row).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("合同");
  await expect(page.getByRole("row", { name: /Assistant/ })).toHaveCount(0);
  await expect(page).toHaveURL(/q=/);
  await row.focus();
  await page.keyboard.press("e");
  await dialog.getByLabel("Name").fill("合同助手");
  await dialog.getByRole("button", { name: "Save" }).click();
  const renamed = page.getByRole("row", { name: /合同助手/ });
  await expect(renamed).toBeVisible();
  await renamed.focus();
  await page.keyboard.press("Delete");
  await page.getByRole("button", { name: "Delete agent" }).click();
  await expect(page.getByRole("heading", { name: "No agent matches" })).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(renamed).toBeVisible();

  await page.getByText("Cards").click();
  const card = page.getByRole("list", { name: "Agents" }).getByRole("listitem");
  await expect(card).toContainText("Reads contracts");
  await card.getByRole("button", { name: /More actions/ }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Export" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("合同助手.agent.json");
  await page.getByRole("button", { name: "New agent" }).click();
  await dialog.getByText("From a file").click();
  const other = { name: "notes.json", mimeType: "application/json", buffer: Buffer.from("[]") };
  await dialog.locator("input[type=file]").setInputFiles(other);
  await expect(dialog.getByText("This is no exported agent.")).toBeVisible();
  await dialog.locator("input[type=file]").setInputFiles(await file.path());
  await expectAccessible(page);
  await dialog.getByLabel("Name").fill("合同副本");
  await dialog.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByRole("textbox", { name: /^Persona/ })).toBeVisible();
  await page.goBack();
  await expect(card).toHaveCount(2);
  await page.getByText("Table").click();
  await page.getByRole("searchbox", { name: "Search agents" }).fill("");
  await expect(page.getByRole("row", { name: /Assistant/ })).toBeVisible();
});

test("an agent is made of documents in one step, and a failure on the way loses nothing", async ({
  console: page,
  server,
}) => {
  const lists = ["agents", "datasets"].map((kind) => `/workspaces/${server.workspaceId}/${kind}`);
  const found = async () =>
    await Promise.all(
      lists.map(async (list) => {
        const { items } = await server.call<{ items: { name: string }[] }>(
          "GET",
          `/admin/v1${list}?q=Ferry`,
        );
        return items.map(({ name }) => name);
      }),
    );
  let refusals = 1;
  await page.route(`**${lists[0]}`, async (route) => {
    if (route.request().method() !== "POST" || refusals === 0) return route.fallback();
    refusals -= 1;
    await route.fulfill({ status: 400, json: { code: 4000, msg: "Not now." } });
  });
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "New agent" }).click();
  await dialog.getByText("From documents").click();
  await dialog.locator("input[type=file]").setInputFiles([
    { name: "Ferry rules.md", mimeType: "text/markdown", buffer: Buffer.from("Dogs sail free.") },
    { name: "Ferry plan.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 torn") },
  ]);
  await expect(dialog.getByLabel("Name")).toHaveValue("Ferry rules");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create agent" }).click();
  await expect(dialog.getByText(/^Nothing is lost/)).toBeVisible();
  expect(await found()).toEqual([[], ["Ferry rules"]]);
  await dialog.getByLabel("Name").fill("Ferry guide");
  await dialog.getByRole("button", { name: "Create agent" }).click();
  await expect(dialog.getByText(/^Ferry plan.pdf could not be read/)).toBeVisible();
  await expectAccessible(page);
  expect(await found()).toEqual([["Ferry guide"], ["Ferry rules"]]);
  await expect(dialog.getByRole("link", { name: "Open base" })).toBeVisible();
  await dialog.getByRole("button", { name: "Open", exact: true }).click();
  await expect(page.getByRole("textbox", { name: /^Persona/ })).toBeVisible();
  await page.getByRole("heading", { name: "Knowledge" }).click();
  await expect(page.getByRole("button", { name: "Remove Ferry rules" })).toBeVisible();

  await page.goBack();
  await page.getByRole("button", { name: "New agent" }).click();
  await dialog.getByText("From documents").click();
  const whole = { name: "Ferry fares.md", mimeType: "text/markdown", buffer: Buffer.from("Free.") };
  await dialog.locator("input[type=file]").setInputFiles(whole);
  await dialog.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByRole("textbox", { name: /^Persona/ })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Ferry fares");
});

/** The account, by the menu of the person. */
async function goToAccount(page: import("@playwright/test").Page): Promise<void> {
  await page.getByRole("button", { name: /account and settings|账户与设置/ }).click();
  await page.getByRole("menuitem", { name: /^(Account|账户)$/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^(Account|账户)$/);
}

test("another browser is signed out from the account", async ({
  browser,
  console: page,
  server,
}) => {
  const other = await browser.newContext({ baseURL: server.url });
  await signIn(other, server);
  await goToAccount(page);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(page.getByText("This browser ·")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign out everywhere else" })).toHaveCount(0);
  expect((await other.request.get(`${server.url}/admin/v1/auth/session`)).status()).toBe(401);
  await other.close();
  await page.getByLabel("Name shown to others").fill("Ada");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("button", { name: "Ada: account and settings" })).toBeVisible();
  await page.getByLabel("Name shown to others").fill("Admin");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("button", { name: "Admin: account and settings" })).toBeVisible();
});

test("language and theme change without a reload, and last", async ({ console: page }) => {
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await page.getByRole("button", { name: /account and settings/ }).click();
  await page.getByRole("menuitemradio", { name: "中文" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("智能体");
  await page.getByRole("button", { name: /账户与设置/ }).click();
  await page.getByRole("menuitemradio", { name: "深色" }).click();
  await expect(page.locator("html")).toHaveClass(/dark/);
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("智能体");
  await expect(page.locator("html")).toHaveClass(/dark/);
});

test("keys lead everywhere", async ({ console: page }) => {
  const title = page.getByRole("heading", { level: 1 });
  for (const [keys, expected] of [
    [["g", "w"], "Workflows"],
    [["g", "k"], "Knowledge"],
    [["g", "m"], "Models"],
    [["g", "o"], "Operations"],
    [["g", "r"], "Runs"],
    [["g", "a"], "Agents"],
  ] as const) {
    for (const key of keys) await page.keyboard.press(key);
    await expect(title).toHaveText(expected);
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find or do" }).fill("data");
  await expect(page.getByRole("option", { name: /Databases/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(title).toHaveText("Databases");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find or do" }).fill("import a canvas");
  await page.keyboard.press("Enter");
  const importing = page.getByRole("dialog", { name: "Import canvases" });
  await importing.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/workflows$/);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await expect(page.getByRole("row", { name: /Assistant/ })).toBeVisible();
  await page.keyboard.press("?");
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(shortcuts.getByRole("heading", { name: "Lists" })).toBeVisible();
  await expect(shortcuts.getByRole("heading", { name: "Canvas" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await expect(page.locator("[role=row][data-index='0']")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await expect(page.locator("[role=row][data-index='0']")).toBeFocused();
});

test("single letters are no commands for whoever switched them off", async ({ signedIn: page }) => {
  await page.goto("/console/account");
  const title = page.getByRole("heading", { level: 1 });
  const letters = page.getByRole("group", { name: "Single letters as commands" });
  await letters.getByText("Off", { exact: true }).click();
  await page.keyboard.press("Escape");
  await page.locator("main").focus();
  for (const key of ["g", "w", "?"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "Find or do" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(title).toHaveText("Account");
});

test("menus open by keys, and give the focus back", async ({ console: page }) => {
  const trigger = page.getByRole("button", { name: /account and settings/ });
  for (const key of ["Enter", "ArrowDown"]) {
    await trigger.focus();
    await page.keyboard.press(key);
    const entry = page.getByRole("menuitem", { name: "Account" });
    await expect(entry).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Home");
    await expect(entry).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(entry).toHaveCount(0);
    await expect(trigger).toBeFocused();
  }
});

for (const [theme, language] of [
  ["light", "en"],
  ["dark", "zh"],
] as const) {
  test(`every screen is accessible, ${theme} and in ${language}`, async ({
    context,
    page,
    server,
  }) => {
    await prefer(context, server, language, theme);
    await page.goto("/console/models");
    await expect(page.getByRole("button", { name: /token|令牌/ })).toBeVisible();
    await expectAccessible(page);
    await signIn(context, server);
    const paths = LISTS.map((list) => `w/${server.workspaceId}/${list}`);
    for (const path of [...paths, "models", "nowhere"]) {
      await page.goto(`/console/${path}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await expectAccessible(page);
      if (language === "zh" && path !== "nowhere") await expectChinese(page);
    }
    await page.goto("/console/models");
    await goToAccount(page);
    await expectAccessible(page);
  });
}

/** No English sentence is left, and no key of a catalogue. */
async function expectChinese(page: import("@playwright/test").Page): Promise<void> {
  const title = await page.getByRole("heading", { level: 1 }).textContent();
  expect(title).toMatch(/\p{Script=Han}/u);
  const names = await page.getByRole("navigation").first().getByRole("link").allTextContents();
  expect(names.filter((name) => !/\p{Script=Han}/u.test(name))).toEqual([]);
}

test("every step of Tab has a name and can be seen", async ({ console: page }) => {
  const seen = new Set<string>();
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return undefined;
      const box = element.getBoundingClientRect();
      const labels = element instanceof HTMLInputElement ? Array.from(element.labels ?? []) : [];
      const told = labels.map((label) => label.textContent).join(" ") || element.textContent;
      const name = element.getAttribute("aria-label") ?? told ?? "";
      return {
        key: `${element.tagName} ${name.slice(0, 60)}`,
        isNamed: name.trim() !== "" || element.hasAttribute("placeholder"),
        isVisible: box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0,
        hasRing: getComputedStyle(element).outlineStyle !== "none",
      };
    });
    if (!found || seen.has(found.key)) break;
    seen.add(found.key);
    expect(found).toMatchObject({ isNamed: true, isVisible: true, hasRing: true });
  }
  expect(seen.size).toBeGreaterThan(10);
});

test("on a phone the bar and the drawer lead around", async ({ console: page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.getByRole("navigation", { name: "Sections" });
  await bar.getByRole("link", { name: "Runs" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Runs");
  await bar.getByRole("button", { name: "Chat" }).click();
  await expect(page.getByRole("dialog").getByRole("link", { name: /Assistant/ })).toBeVisible();
  await expectAccessible(page);
  await page
    .getByRole("dialog")
    .getByRole("link", { name: /Assistant/ })
    .click();
  await expect(page).toHaveURL(/tab=try/);
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
  await bar.getByRole("button", { name: "More" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Prompts" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Prompts");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await expectAccessible(page);
});

test("texts in disguise reach every screen, and nothing is fixed", async ({
  context,
  page,
  server,
}) => {
  await prefer(context, server, "en-XA", "light");
  await signIn(context, server);
  for (const list of LISTS) {
    await page.goto(`/console/w/${server.workspaceId}/${list}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^\[.+\]$/);
    const plain = await page
      .locator("button:visible, [role=columnheader]:visible, nav a:visible")
      .evaluateAll((elements) =>
        elements
          .map((element) => element.textContent?.trim() ?? "")
          .filter((text) => /[a-z]{3}/.test(text) && !text.startsWith("[")),
      );
    expect(plain.filter((text) => !/^(Personal|A?Admin|Ctrl)/.test(text))).toEqual([]);
  }
});
