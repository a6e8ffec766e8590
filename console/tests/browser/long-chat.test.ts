import { expect, expectAccessible, test } from "./fixture";
import { longChat } from "./long-chat";
import { plannedAgent, startUpstream } from "./upstream";

test.skip(!process.env["CONSOLE_LONG"], "its parts are tried by tests of the chat's session");

const COUNT = 260;
const DAY_MS = 24 * 60 * 60 * 1000;

test("a long conversation is read back to its beginning, and only what is seen is drawn", async ({
  signedIn: page,
  server,
}) => {
  const upstream = await startUpstream();
  const model = await upstream.model(server, "tokens-3-1");
  const agent = await plannedAgent(server, "Talker", model, [{ say: "" }]);
  const chat = await longChat(server, agent, COUNT);
  await page.clock.setFixedTime(Date.now() + DAY_MS);
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent}?chat=${chat}&tab=try`);
  await expect(page.getByText(`Answer ${COUNT}`, { exact: true })).toBeInViewport();
  const earlier = page.getByRole("button", { name: "Earlier messages" });
  const first = page.getByText("Question 1", { exact: true });
  await earlier.click();
  const turns = page.locator("[data-turn]");
  // Whoever reads at the beginning gets the next page without asking for it.
  await expect(async () => {
    await turns.first().hover();
    await page.mouse.wheel(0, -4000);
    await expect(first).toBeInViewport({ timeout: 500 });
  }).toPass();
  await expect(earlier).toHaveCount(0);
  await expect(page.getByText("Yesterday", { exact: true })).toHaveCount(1);
  expect(await turns.count()).toBeLessThan(40);
  await expectAccessible(page);
  await page.getByRole("button", { name: /newest/i }).click();
  await expect(page.getByText(`Answer ${COUNT}`, { exact: true })).toBeInViewport();
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill("And now?");
  await composer.press("Enter");
  await expect(page.getByRole("paragraph").filter({ hasText: "t0 t1 t2" })).toBeInViewport();
  await expect(page.getByText("Today", { exact: true })).toBeInViewport();
  await upstream.stop();
});
