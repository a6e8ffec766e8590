import { expect, test } from "./fixture";
import { plannedAgent, startUpstream } from "./upstream";

test("what is made in one window stands in the lists of the others", async ({
  context,
  console: page,
  server,
}) => {
  const place = `/console/w/${server.workspaceId}`;
  const other = await context.newPage();
  await other.goto(`${place}/prompts`);
  await page.goto(`${place}/prompts`);
  const name = (shown: typeof page, text: string) => shown.getByText(text, { exact: true });

  await page.getByRole("button", { name: "New prompt" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Tide table");
  await dialog.getByLabel("Prompt", { exact: true }).fill("Tell the tides.");
  await dialog.getByRole("button", { name: "Create prompt" }).click();
  await expect(name(other, "Tide table").first()).toBeVisible();

  // The window that reads the channel leaves, and the next one goes on.
  await other.close();
  const third = await context.newPage();
  await third.goto(`${place}/agents`);
  const api = `/admin/v1/workspaces/${server.workspaceId}`;
  const agent = await server.call<{ id: string }>("POST", `${api}/agents`, { name: "Harbour" });
  await expect(name(third, "Harbour").first()).toBeVisible();
  await server.call("PATCH", `/admin/v1/agents/${agent.id}`, { name: "Harbour two" });
  await expect(name(third, "Harbour two").first()).toBeVisible();
  await page.close();
  await server.call("DELETE", `/admin/v1/agents/${agent.id}`);
  await expect(name(third, "Harbour two")).toBeHidden();
});

test("runs of others are counted above the list, and nobody asks in between", async ({
  context,
  console: page,
  server,
}) => {
  const upstream = await startUpstream();
  const model = await upstream.model(server, "tokens-3-100");
  const agent = await plannedAgent(server, "Lamp", model, [{ say: "" }]);
  const ask = () =>
    server.call<{ run_id: string }>("POST", `/admin/v1/agents/${agent}/chats`, {
      version: "draft",
      content: "Count",
    });
  const { run_id } = await ask();
  const ended = () =>
    server.call<{ status: string }>("GET", `/admin/v1/traces/${run_id}`).then(
      ({ status }) => status !== "running",
      () => false,
    );
  await expect.poll(ended).toBe(true);
  await page.goto(`/console/w/${server.workspaceId}/runs`);
  await expect(page.getByRole("row").nth(1)).toBeVisible();

  await ask();
  const asked: number[] = [];
  context.on("request", (request) => {
    if (new URL(request.url()).pathname === "/admin/v1/traces") asked.push(Date.now());
  });
  await expect(page.getByRole("button", { name: "1 new run" })).toBeVisible();
  expect(asked.length).toBeLessThanOrEqual(2);
  await upstream.stop();
});
