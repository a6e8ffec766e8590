import { expect, test } from "./fixture";
import { plannedAgent, startUpstream } from "./upstream";

test("what is made in one window stands in the lists of the others", async ({
  context,
  signedIn: page,
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

test("a model that is changed in one window is another one in the others", async ({
  context,
  console: page,
  server,
}) => {
  const upstream = await startUpstream();
  const id = await upstream.model(server, "capable");
  const [list, form] = [await context.newPage(), await context.newPage()];
  await list.goto("/console/models");
  await expect(list.getByRole("link", { name: "capable" }).first()).toBeVisible();
  for (const each of [page, form]) await each.goto(`/console/models/${id}`);
  const field = (of: typeof page) => of.getByLabel("Description", { exact: true });
  await expect(field(form)).toHaveValue("");

  await field(page).fill("Reads charts of the harbour");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(field(form)).toHaveValue("Reads charts of the harbour");
  await field(form).fill("Mine");
  await server.call("PATCH", `/admin/v1/models/${id}`, { display: { name: "Pilot" } });
  await expect(list.getByRole("link", { name: "Pilot" }).first()).toBeVisible();

  // What is edited stays, and nobody writes over what was not read.
  await expect(form.getByRole("heading", { name: "Pilot", exact: true })).toBeVisible();
  await expect(field(form)).toHaveValue("Mine");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(form.getByText(/read it again/)).toBeVisible();
  const { display } = await server.call<{ display: { name: string } }>(
    "GET",
    `/admin/v1/models/${id}`,
  );
  expect(display.name).toBe("Pilot");
  // Its model goes with it.
  await upstream.stop();
  await expect(list.getByRole("link", { name: "Pilot" })).toHaveCount(0);
});

test("who manages a workspace is told in any window that a budget has reached a mark", async ({
  console: page,
  server,
}) => {
  const upstream = await startUpstream();
  const model = await upstream.model(server, "tokens-3-100");
  const agent = await plannedAgent(server, "Thrift", model, [{ say: "" }]);
  const body = { subject_type: "agent", subject_id: agent, unit: "tokens", period: "day" };
  const budgets = `/admin/v1/workspaces/${server.workspaceId}/budgets`;
  const little = { ...body, amount: 1, is_hard: false, name: "Little" };
  const { id } = await server.call<{ id: string }>("POST", budgets, little);
  const asked = { version: "draft", content: "Count" };
  await server.call("POST", `/admin/v1/agents/${agent}/chats`, asked);

  // A process looks at its budgets every ten seconds.
  const notice = page.getByText("A budget of “Personal” is used up");
  await expect(notice).toBeVisible({ timeout: 30_000 });
  await page.getByRole("button", { name: "Show budgets" }).click();
  await expect(page.getByRole("meter", { name: "Little" })).toBeVisible();
  await server.call("DELETE", `/admin/v1/budgets/${id}`);
  await upstream.stop();
});

test("runs of others are counted above the list, and nobody asks in between", async ({
  context,
  signedIn: page,
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
