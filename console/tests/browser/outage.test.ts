import { expect, expectAccessible, LOOKS, prefer, test } from "./fixture";

test.use({ refusals: /status of [45]|net::ERR_INTERNET_DISCONNECTED|ApiError: No agent 1/ });

test("a server that is away is told of, and what failed comes by itself when it is back", async ({
  console: page,
  context,
}) => {
  await context.setOffline(true);
  await page.getByRole("searchbox", { name: "Search agents" }).fill("Assist");
  const banner = page.getByRole("status").filter({ hasText: "does not answer" });
  await expect(banner).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole("button", { name: "Try now" })).toBeVisible();
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole("row", { name: /Assistant/ })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("what a restarting server refuses waits for it, and is done once", async ({
  console: page,
}) => {
  let refusals = 2;
  await page.route("**/workspaces/*/agents", async (route) => {
    if (route.request().method() !== "POST" || refusals === 0) return route.fallback();
    refusals -= 1;
    const json = { code: 5002, msg: "Later.", error: { detail: "shutting_down" } };
    await route.fulfill({ status: 503, headers: { "Retry-After": "1" }, json });
  });
  await page.getByRole("button", { name: "New agent" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Patient");
  await page.getByRole("button", { name: "Create agent" }).click();
  await expect(page.getByText("The server is restarting.")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Patient");
  await expect(page.getByText("The server is restarting.")).toHaveCount(0);
  expect(refusals).toBe(0);
});

for (const { theme, language } of LOOKS) {
  test(`what is not there leads to what is, ${theme} and in ${language}`, async ({
    signedIn: page,
    context,
    server,
  }) => {
    const isChinese = language === "zh";
    const find = isChinese ? "查找或执行" : "Find or do";
    await prefer(context, server, language, theme);
    await page.goto("/console/find?q=Assist");
    const field = page.getByRole("combobox", { name: find });
    await expect(field).toHaveValue("Assist");
    await expect(page.getByRole("option", { name: /Assistant/ })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/agents\/\d+$/);

    await page.goto("/console/nowhere");
    await page.getByRole("link", { name: find }).click();
    await expect(field).toHaveValue("");
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(new RegExp(`/w/${server.workspaceId}$`));

    for (const path of ["w/1", `w/${server.workspaceId}/agents/1`]) {
      await page.goto(`/console/${path}`);
      await page
        .getByRole("main")
        .getByRole("button", { name: /^(Find|查找)/ })
        .click();
      await expect(field).toBeFocused();
      await page.keyboard.press("Escape");
      await expectAccessible(page);
    }
  });
}
