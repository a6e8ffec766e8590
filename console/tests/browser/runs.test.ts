import { expect, expectAccessible, LOOKS, prefer, signIn, testIn } from "./fixture";
import type { Server } from "./server";
import { plannedAgent } from "./upstream";

/** An agent that is refused once, asks another one and takes a note, and a run of it. */
const test = testIn(async (server, upstream) => {
  const model = await upstream.model(server, "planned");
  const busy = await upstream.model(server, "planned-once-busy");
  const helper = await plannedAgent(server, "Timetable", model, [{ say: "At ten past." }]);
  const note = { data: [{ keyword: "mood", value: "good" }] };
  const lead = await plannedAgent(
    server,
    "Harbour guide",
    busy,
    [
      {
        say: "Looking.",
        calls: [
          { name: "help", arguments: { task: "When does it leave?" } },
          { name: "setKeywordMemory", arguments: note },
        ],
      },
      { say: "It leaves at ten past nine." },
    ],
    {
      agents: [{ agent_id: helper, name: "help", kind: "delegate" }],
      variables: [{ key: "mood", description: "How the user feels" }],
    },
  );
  return { lead, run: await asked(server, lead, "When does the ferry leave?") };
});

/** Asks the draft, and waits for the trace that the end of the run leaves. */
async function asked(server: Server, agentId: string, content: string): Promise<string> {
  const path = `/admin/v1/agents/${agentId}/chats`;
  const { run_id } = await server.call<{ run_id: string }>("POST", path, {
    version: "draft",
    content,
  });
  await expect
    .poll(() =>
      server.call("GET", `/admin/v1/traces/${run_id}`).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  return run_id;
}

test("runs are listed, narrowed, drawn step by step, with the prompt as it was sent", async ({
  console: page,
  world: { server, run },
}) => {
  await page.getByRole("navigation").getByRole("link", { name: "Runs" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Runs");
  const row = page.getByRole("row", { name: /Harbour guide/ });
  await expect(row.getByText("Done")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "State" }).click();
  await page.getByRole("menuitemradio", { name: "Failed" }).click();
  await expect(page.getByRole("heading", { name: "No run matches" })).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByRole("searchbox", { name: "Search questions and answers" }).fill("FERRY");
  await expect(row).toBeVisible();
  await page.getByRole("listbox", { name: "Runs over time" }).press("Enter");
  await expect(page).toHaveURL(/time=/);
  await expect(row).toBeVisible();
  await row.press("Enter");

  const steps = page.getByRole("treegrid", { name: "Steps of the run" });
  const step = (name: RegExp) => steps.getByRole("row", { name });
  await expect(step(/Agent Harbour guide/)).toHaveAttribute("aria-selected", "true");
  await expect(step(/Model call planned-once-busy, Failed/)).toBeVisible();
  await expect(step(/Tool setKeywordMemory/)).toBeVisible();
  await expect(step(/Agent Timetable/)).toHaveAttribute("aria-level", "4");
  await expectAccessible(page);
  const bars = await steps
    .locator("[data-left]")
    .evaluateAll((all) =>
      all.map(({ dataset, style }) => [Number(dataset["left"]), Number.parseFloat(style.left)]),
    );
  for (const [placed, drawn] of bars) expect(drawn).toBeCloseTo(placed ?? -1, 1);

  const trace = await server.call<{ spans: { id: string; kind: string; input: string }[] }>(
    "GET",
    `/admin/v1/traces/${run}`,
  );
  await step(/Model call planned-once-busy, Done/)
    .last()
    .click();
  await expect(page).toHaveURL(/span=/);
  const messages = page.getByRole("tabpanel").getByRole("listitem");
  await expect(page.getByText(/messages as in the call before/)).toBeVisible();
  await expect(messages.filter({ hasText: "At ten past." })).toBeVisible();
  const sent = trace.spans.findLast((each) => each.kind === "model")?.input ?? "";
  await page.getByText(/messages as in the call before/).click();
  await expect(messages).toHaveCount(JSON.parse(sent).messages.length);
  await page.getByText("JSON", { exact: true }).click();
  await expect(page.getByRole("tree", { name: "Prompt" })).toContainText("messages");
  await step(/Tool help/).click();
  await expect(page.getByRole("tree", { name: "Input" })).toContainText("When does it leave?");
  await page.getByRole("tab", { name: "Output" }).click();
  await expect(page.getByRole("tabpanel")).toContainText("At ten past.");
  await step(/Tool help/).press("ArrowLeft");
  await expect(step(/Agent Timetable/)).toHaveCount(0);
});

test("a run is begun again with another persona, and compared with the first one", async ({
  signedIn: page,
  world: { server, run },
}) => {
  await page.goto(`/console/w/${server.workspaceId}/runs/${run}`);
  await page.getByRole("button", { name: "Run again" }).click();
  const dialog = page.getByRole("dialog", { name: "Run again" });
  await dialog.getByRole("textbox", { name: "Persona" }).fill("Answer like a captain.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Run again" }).click();

  await expect(page).not.toHaveURL(new RegExp(`/runs/${run}`));
  await page.getByRole("link", { name: "Compare with the original" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Compare runs");
  const steps = page.getByRole("region", { name: "Steps" });
  await steps.getByText(/Input/).first().click();
  await expect(steps.getByText("Answer like a captain.").first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Swap" }).click();
  await expect(page).toHaveURL(new RegExp(`b=[^&]*${run}`));
});

test("a failed run says what failed, and a published one what was not kept", async ({
  signedIn: page,
  world: { server, lead, upstream },
}) => {
  const model = await upstream.model(server, "error-500");
  const agent = await plannedAgent(server, "Broken", model, [{ say: "" }]);
  const failed = await asked(server, agent, "Does this work?");
  await page.goto(`/console/w/${server.workspaceId}/runs/${failed}`);
  await expect(page.getByText("The run failed")).toBeVisible();
  await expect(page.getByRole("row", { selected: true })).toHaveAccessibleName(/Failed/);
  await server.call("POST", "/v1/chat/completions", {
    model: lead,
    messages: [{ role: "user", content: "And now?" }],
  });
  const { items } = await server.call<{ items: { run_id: string; capture: string }[] }>(
    "GET",
    "/admin/v1/traces?source=openai",
  );
  await page.goto(`/console/w/${server.workspaceId}/runs/${items[0]?.run_id}?pane=input`);
  await expect(page.getByText("What was said was not kept")).toBeVisible();
  await expect(page.getByText(/Published agents and workflows keep only/)).toBeVisible();
  await expectAccessible(page);
});

for (const { theme, language } of LOOKS) {
  test(`runs fit a phone, ${theme} and in ${language}`, async ({ context, page, world }) => {
    const { server, run } = world;
    await prefer(context, server, language, theme);
    await signIn(context, server);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ["runs", `runs/${run}`]) {
      await page.goto(`/console/w/${server.workspaceId}/${path}`);
      await expect(page.getByRole("row").first()).toBeVisible();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wide).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
  });
}

test("the first run comes into an empty list by itself", async ({ page, context, server }) => {
  await signIn(context, server);
  const { id: space } = await server.call<{ id: string }>("POST", "/admin/v1/workspaces", {
    name: "Nothing yet",
  });
  await page.goto(`/console/w/${space}/runs`);
  await expect(page.getByRole("heading", { name: "No runs in this time" })).toBeVisible();
  const schema = JSON.stringify({
    nodes: [
      { id: "100001", type: "1", data: { outputs: [] } },
      { id: "900001", type: "2", data: { inputs: { terminatePlan: "returnVariables" } } },
    ],
    edges: [{ sourceNodeID: "100001", targetNodeID: "900001" }],
  });
  const { workflow } = await server.call<{ workflow: { id: string } }>(
    "POST",
    `/admin/v1/workspaces/${space}/workflows:import`,
    { schema, name: "The first" },
  );
  await server.call("POST", `/admin/v1/workflows/${workflow.id}/test-runs`, { inputs: {} });
  await expect(page.getByRole("row").filter({ hasText: "The first" })).toBeVisible();
});
