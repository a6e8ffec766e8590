import { expect, expectAccessible, testApart } from "./fixture";
import { startServer } from "./server";
import { startUpstream } from "./upstream";

const test = testApart();
const PASSWORD = "four unrelated words here";

test("the printed link leads a newcomer to an answer with its source, once", async ({
  page,
  server,
}) => {
  const upstream = await startUpstream();
  await page.goto(server.welcomeUrl);
  await expect(page).toHaveURL(/\/console\/welcome$/);
  await page.getByLabel("Name shown to others").fill("Ada");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Begin" }).click();

  const steps = page.getByRole("region", { name: "Three steps to the first answer" });
  await expectAccessible(page);
  await steps.getByLabel("Model", { exact: true }).fill("cites");
  await steps.getByLabel("Address").fill(upstream.url);
  await steps.getByRole("button", { name: "Add and test" }).click();
  await expect(steps.getByText("It works:")).toBeVisible();
  await steps.getByRole("button", { name: "Go on" }).click();
  await steps.getByRole("button", { name: "Take the sample handbook" }).click();
  await expectAccessible(page);
  await steps.getByRole("button", { name: "Give to Assistant" }).click();
  await steps.getByRole("button", { name: "What happens if a bicycle is stolen?" }).click();
  await expect(page).toHaveURL(/agents\/\d+\?.*chat=/);
  const answer = page.getByRole("article", { name: "Answer" });
  await expect(answer).toContainText(/First token .* in all/);
  await answer.getByText("1 source", { exact: true }).click();
  await expect(answer.getByText("Sample handbook.md").last()).toBeVisible();

  await page.getByRole("button", { name: "Ada: account and settings" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/sign-in/);
  await page.goto(server.welcomeUrl);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link is used up");
  await page.goto("/console/sign-in");
  await page.getByLabel("Name or e-mail").fill("admin");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/w\/\d+$/);
  await expect(page.getByRole("heading", { name: "Continue" })).toBeVisible();
  await expect(steps).toHaveCount(0);
  await upstream.stop();
});

test("before the console is built the printed link survives another language and theme", async ({
  browser,
}) => {
  const bare = await startServer({ COTERIE_CONSOLE__ENABLED: "false" });
  const page = await browser.newPage();
  await page.goto(bare.welcomeUrl);
  await page.getByRole("button", { name: "中文" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh");
  await page.getByRole("button", { name: "深色" }).click();
  await expect(page.locator("html")).toHaveClass("dark");
  await expect(page).toHaveURL(/\/console\/welcome$/);
  await page.locator("input[type=password]").fill(PASSWORD);
  await page.locator("button[type=submit]").click();
  await page.waitForURL(/account/);
  await page.close();
  await bare.stop();
});

test("who tries passwords is told how long to wait", async ({ context, page, server }) => {
  const body = { name: "admin", password: "no such password", remember: false };
  const headers = { Origin: server.url, "Sec-Fetch-Site": "same-origin" };
  for (let each = 0; each < 10; each += 1)
    await context.request.post("/admin/v1/auth/login", { headers, data: body });
  await page.goto("/console/sign-in");
  await page.getByLabel("Name or e-mail").fill(body.name);
  await page.getByLabel("Password").fill(body.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText(/Wait \d+ minute/)).toBeVisible();
  await expectAccessible(page);
});
