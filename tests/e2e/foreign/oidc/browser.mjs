// A person at a browser who signs in by the provider, sees the console, and signs out.

import { chromium } from "playwright-core";

const { COTERIE_URL, CHROMIUM, PERSON } = process.env;
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const context = await browser.newContext({ locale: "en-US" });
const page = await context.newPage();
page.setDefaultTimeout(120_000);
const problems = [];
page.on("console", (message) => {
  if (message.type() === "error" && message.text().includes("Content Security Policy")) {
    problems.push(message.text());
  }
});

await page.goto(`${COTERIE_URL}/console/sign-in?return_to=/console/account`);
await page.getByRole("link", { name: "Continue with Corp" }).click();
await page.locator("input[name=login]").fill(PERSON);
await page.locator("input[name=password]").fill("any");
await page.locator("button[type=submit]").click();
await page.locator("input[name=prompt][value=consent]").waitFor({ state: "attached" });
await page.locator("button[type=submit]").click();
await page.waitForURL(`${COTERIE_URL}/console/account`);
await page.locator("#who", { hasText: PERSON }).waitFor();
const who = await page.locator("#who").textContent();
const cookies = (await context.cookies(COTERIE_URL)).filter(({ name }) => name.startsWith("coterie-"));
await page.locator("#sign-out").click();
await page.locator("button[name=logout], button[value=yes]").first().click();
await page.waitForURL(`${COTERIE_URL}/console/sign-in`);
await page.getByRole("link", { name: "Continue with Corp" }).waitFor();
const after = await page.request.get(`${COTERIE_URL}/admin/v1/auth/session`);
console.log(
  JSON.stringify({
    who,
    cookies: cookies.map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite })),
    status: after.status(),
    problems,
  }),
);
await browser.close();
