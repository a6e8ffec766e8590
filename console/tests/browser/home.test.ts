import { expect, expectAccessible, signIn, testIn } from "./fixture";
import { crash, keptIn } from "./recovery";
import { plannedAgent } from "./upstream";

/** An agent that cancels orders, which somebody has to allow. */
const test = testIn(async (server, upstream) => {
  const planned = await upstream.model(server, "planned");
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/workflows`,
    { name: "cancel", description: "Cancels an order.", mode: 0 },
  );
  await server.call("POST", `/admin/v1/workflows/${id}/publish`, { force: true });
  const desk = await plannedAgent(
    server,
    "Order desk",
    planned,
    [
      { say: "One moment.", calls: [{ name: "cancel", arguments: { order: "A-7731" } }] },
      { say: "It is cancelled." },
    ],
    { workflows: [{ workflow_id: id, tool_name: "cancel", approval: "always" }] },
  );
  return { desk };
});

const node = (id: string, type: string, title: string, x: number, data: object) => ({
  id,
  type,
  meta: { position: { x, y: 0 } },
  data: { nodeMeta: { title }, ...data },
});
const ANSWER = { name: "USER_RESPONSE", type: "string" };
/** A workflow that asks one thing and answers with what it is told. */
const ASKING = {
  nodes: [
    node("100001", "1", "Start", 0, { outputs: [] }),
    node("110001", "18", "Ask", 460, {
      inputs: {
        question: "Where to?",
        answer_type: "text",
        option_type: "static",
        extra_output: false,
        limit: 3,
        llmParam: {},
        inputParameters: [],
      },
      outputs: [ANSWER],
    }),
    node("900001", "2", "End", 920, {
      inputs: {
        terminatePlan: "returnVariables",
        inputParameters: [
          {
            name: "place",
            input: {
              type: "string",
              value: {
                type: "ref",
                content: { source: "block-output", blockID: "110001", name: "USER_RESPONSE" },
              },
            },
          },
        ],
      },
    }),
  ],
  edges: [
    { sourceNodeID: "100001", targetNodeID: "110001" },
    { sourceNodeID: "110001", targetNodeID: "900001" },
  ],
};

test("what waits is answered at home, and what was opened stands there", async ({
  context,
  page,
  world: { server, desk },
}) => {
  await server.call("PUT", "/admin/v1/presence", { type: "agent", id: desk }).catch(String);
  const path = `/admin/v1/agents/${desk}/chats`;
  const body = { version: "draft", content: "Please cancel A-7731" };
  const { run_id } = await server.call<{ run_id: string }>("POST", path, body);
  const home = `/admin/v1/workspaces/${server.workspaceId}/home`;
  type Shown = { waiting: { id: string }[] };
  const waits = () =>
    server.call<Shown>("GET", home).then(({ waiting }) => waiting.some(({ id }) => id === run_id));
  await expect.poll(waits).toBe(true);
  await signIn(context, server);
  await page.goto(`/console/w/${server.workspaceId}`);
  await expect(page.getByRole("link", { name: /Order desk/ }).first()).toBeVisible();
  const item = page.getByRole("article").filter({ hasText: "Order desk wants to call cancel" });
  await expect(item.getByText("A-7731")).toBeVisible();
  await expectAccessible(page);
  const badge = page.getByRole("link", { name: /^Home.*1 run asks/ });
  await expect(badge).toBeVisible();
  await item.getByRole("button", { name: "Allow" }).click();
  await expect(item).toHaveCount(0);
  await expect(badge).toHaveCount(0);
  await expect.poll(waits).toBe(false);
  await page.getByRole("link", { name: /^Runs \d/ }).click();
  await expect(page).toHaveURL(/time=24h/);
});

test("anything is found by its name and its id", async ({ console: page, world }) => {
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Find or do" });
  await field.fill("order d");
  await expect(page.getByRole("option", { name: /Order desk/ })).toBeVisible();
  await expectAccessible(page);
  await field.fill(world.desk);
  await expect(page.getByRole("option")).toHaveCount(1);
  await page.getByRole("option", { name: /Order desk/ }).click();
  await expect(page).toHaveURL(new RegExp(`/agents/${world.desk}`));
});

test("a question of a workflow is answered at home, and the workflow goes on", async ({
  context,
  page,
  world: { server },
}) => {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/workflows`,
    { name: "booking", description: "Books a trip.", mode: 0 },
  );
  await server.call("PUT", `/admin/v1/workflows/${id}/canvas`, { schema: ASKING });
  const { execute_id } = await server.call<{ execute_id: string }>(
    "POST",
    `/admin/v1/workflows/${id}/test-runs`,
    { inputs: {} },
  );
  await signIn(context, server);
  await page.goto(`/console/w/${server.workspaceId}`);
  const item = page.getByRole("article").filter({ hasText: "booking asks a question" });
  await expect(item.getByText("Where to?")).toBeVisible();
  await expectAccessible(page);
  await item.getByRole("textbox").fill("Baltrum");
  await item.getByRole("button", { name: "Send" }).click();
  await expect(item).toHaveCount(0);
  const output = () =>
    server
      .call<{ output: string }>("GET", `/admin/v1/workflow-runs/${execute_id}`)
      .then((run) => run.output);
  await expect.poll(output).toContain("Baltrum");
});

test("documents are imported from home into a base that is chosen or made", async ({
  context,
  page,
  world: { server },
}) => {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/datasets`,
    { name: "House rules" },
  );
  await signIn(context, server);
  await page.goto(`/console/w/${server.workspaceId}/knowledge?new=documents`);
  const dialog = page.getByRole("dialog", { name: "Import documents" });
  await dialog.getByRole("combobox", { name: "Into which base" }).fill("house");
  await page.getByRole("option", { name: /House rules/ }).click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Choose documents" }).click();
  await expect(page).toHaveURL(new RegExp(`/knowledge/${id}/import`));
  await page.goto(`/console/w/${server.workspaceId}/knowledge?new=documents`);
  await dialog.getByRole("button", { name: "Into a new base" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Tides");
  await page.getByRole("dialog").getByRole("button", { name: "Create base" }).click();
  await expect(page).toHaveURL(/\/import$/);
});

test("what was not saved when its page ended waits at home, and is taken over from there", async ({
  context,
  page,
  world: { server },
}) => {
  await signIn(context, server);
  const home = `/console/w/${server.workspaceId}`;
  const words = "Answer as a lighthouse keeper would.";
  await page.goto(`${home}/prompts`);
  await page.getByRole("button", { name: "New prompt" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("Keeper");
  await page.getByLabel("Prompt", { exact: true }).fill(words);
  await expect.poll(() => keptIn(page)).toContain(words);
  await crash(page);

  const next = await context.newPage();
  await next.goto(home);
  const item = next.getByRole("article").filter({ hasText: "Changes of Keeper were not saved" });
  await expect(item).toContainText("this browser kept them");
  await expectAccessible(next);
  await item.getByRole("button", { name: "Discard" }).click();
  await expect(item).toHaveCount(0);
  await next.getByRole("button", { name: "Undo" }).click();
  await item.getByRole("link", { name: "Look at it" }).click();
  const offer = next.getByRole("dialog", { name: "Changes that were not saved" });
  await offer.getByRole("button", { name: "Take over" }).click();
  await expect(next.getByLabel("Prompt", { exact: true })).toHaveValue(words);
  await next.getByRole("button", { name: "Create prompt" }).click();
  await expect(next.getByRole("dialog")).toHaveCount(0);
  await next.goto(home);
  await expect(next.getByRole("link", { name: /Order desk/ }).first()).toBeVisible();
  await expect(item).toHaveCount(0);
});
