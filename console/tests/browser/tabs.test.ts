import { expect, test } from "./fixture";
import { plannedAgent, startUpstream } from "./upstream";

test.skip(!process.env["CONSOLE_LONG"], "eight windows want the machine for themselves");

const TABS = 8;
const TOKENS = 150;

test("eight windows of one browser are live at the same time, and no request waits", async ({
  context,
  console: first,
  server,
}) => {
  const upstream = await startUpstream();
  const model = await upstream.model(server, `tokens-${TOKENS}-100`);
  const agent = await plannedAgent(server, "Eight", model, [{ say: "" }]);
  const others = Array.from({ length: TABS - 1 }, () => context.newPage());
  const pages = [first, ...(await Promise.all(others))];
  let channels = 0;
  context.on("request", (request) => {
    if (new URL(request.url()).pathname === "/admin/v1/live") channels += 1;
  });
  for (const page of pages) {
    await page.goto(`/console/w/${server.workspaceId}/agents/${agent}`);
    const composer = page.getByRole("textbox", { name: "Message" });
    await composer.fill("Count");
    await composer.press("Enter");
    await expect(page.getByRole("article", { name: "Answer" })).toContainText("t0");
  }
  // All of them are being answered, and another question of the API is answered at once.
  for (const page of pages) {
    expect(await page.evaluate(() => fetch("/admin/v1/auth/session").then(({ ok }) => ok))).toBe(
      true,
    );
  }
  for (const page of pages) {
    const answer = page.getByRole("article", { name: "Answer" });
    await expect(answer).toContainText(/First token .* in all/);
    await expect(answer).toContainText(`t${TOKENS - 1}`);
  }
  expect(channels).toBe(1);
  await upstream.stop();
});
