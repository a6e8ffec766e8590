import { expect, expectAccessible, test } from "./fixture";
import type { Server } from "./server";
import { plannedAgent, startUpstream, type Upstream } from "./upstream";

test.skip(!process.env["CONSOLE_LONG"], "single steps of it are tried elsewhere");

const TOKENS = 120;

type Sent = { path: string; raw: string; body: { messages: { role: string; content: string }[] } };

/** What the provider of models was sent last, as it came. */
async function lastSent(upstream: Upstream): Promise<Sent> {
  const answer = await fetch(new URL("/_control/requests", upstream.url));
  const all: Sent[] = await answer.json();
  const sent = all.findLast(({ path }) => path.endsWith("/chat/completions"));
  if (!sent) throw new Error("nothing was sent");
  return sent;
}

async function cancelling(server: Server): Promise<string> {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/workflows`,
    { name: "cancel", description: "Cancels an order.", mode: 0 },
  );
  await server.call("POST", `/admin/v1/workflows/${id}/publish`, { force: true });
  return id;
}

test("an agent is written, asked with leave to act, looked into, changed and published", async ({
  signedIn: page,
  server,
}) => {
  const upstream = await startUpstream();
  const agent = await plannedAgent(
    server,
    "Order desk",
    await upstream.model(server, "planned"),
    [
      { say: "One moment.", calls: [{ name: "cancel", arguments: { order: "A-7731" } }] },
      { say: "It is cancelled." },
    ],
    {
      workflows: [
        { workflow_id: await cancelling(server), tool_name: "cancel", approval: "always" },
      ],
    },
  );
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent}`);
  const persona = page.getByRole("textbox", { name: /^Persona/ });
  await persona.press("Control+End");
  await page.keyboard.type("\nYour tone: {{tone");
  await page.keyboard.press("Escape");
  await page.keyboard.type("}}");
  await page.getByRole("button", { name: "Declare" }).click();
  await expect(page.getByText("Not declared")).toBeHidden();

  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill("Please cancel A-7731");
  await composer.press("Enter");
  const answer = page.getByRole("article", { name: "Answer" });
  await expect(answer).toContainText("A-7731");
  await answer.getByRole("button", { name: "Allow" }).click();
  await expect(answer).toContainText("It is cancelled.");
  await expect(answer).toContainText(/First token/);

  await answer.getByRole("button", { name: "Details" }).click();
  const sheet = page.getByRole("dialog", { name: "How the answer came about" });
  await sheet
    .getByRole("row", { name: /Model call planned/ })
    .last()
    .click();
  const prompt = sheet.getByRole("tabpanel").getByRole("listitem");
  await expect(prompt.filter({ hasText: "Your tone:" }).first()).toBeVisible();
  const sent = await lastSent(upstream);
  const { items } = await server.call<{ items: { run_id: string }[] }>(
    "GET",
    `/admin/v1/traces?workspace_id=${server.workspaceId}&agent_id=${agent}`,
  );
  const trace = await server.call<{ spans: { kind: string; input: string }[] }>(
    "GET",
    `/admin/v1/traces/${items[0]?.run_id}`,
  );
  const shown = trace.spans.findLast(({ kind }) => kind === "model")?.input;
  expect(shown).toBe(Buffer.from(sent.raw, "base64").toString());
  await page.keyboard.press("Escape");

  await persona.press("Control+End");
  await page.keyboard.type("\nBe brief.");
  await answer.getByRole("button", { name: "Ask again" }).click();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(answer).not.toContainText("Before your changes");

  await page.getByRole("button", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish the draft" });
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("dialog", { name: "Published", exact: true })).toBeVisible();
  await server.call("POST", "/v1/chat/completions", {
    model: agent,
    messages: [{ role: "user", content: "Hello" }],
  });
  const { body } = await lastSent(upstream);
  expect(body.messages[0]?.content).toContain("Be brief.");
  await upstream.stop();
});

test("an answer goes on after a reload without a lost or doubled word", async ({
  signedIn: page,
  server,
}) => {
  const upstream = await startUpstream();
  const model = await upstream.model(server, `tokens-${TOKENS}-30`);
  const agent = await plannedAgent(server, "Ticker", model, [{ say: "" }]);
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent}`);
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill("Count");
  await composer.press("Enter");
  const answer = page.getByRole("article", { name: "Answer" });
  await expect(answer).toContainText("t5");
  await expect(page).toHaveURL(/chat=/);
  await page.reload();
  await expect(answer).toContainText(/First token .* in all/);
  const expected = Array.from({ length: TOKENS }, (_, index) => `t${index}`).join(" ");
  const text = (await answer.textContent()) ?? "";
  expect(text).toContain(expected);
  expect(text.split(/\bt0\b/)).toHaveLength(2);
  await upstream.stop();
});

test("a workflow that answers stands in the place of persona and model", async ({
  signedIn: page,
  server,
}) => {
  const place = `/admin/v1/workspaces/${server.workspaceId}`;
  const { id } = await server.call<{ id: string }>("POST", `${place}/agents`, {
    name: "Front desk",
    mode: "workflow",
    workflow_agent: { workflow_id: await cancelling(server) },
  });
  await page.goto(`/console/w/${server.workspaceId}/agents/${id}`);
  await expect(page.getByRole("combobox", { name: "Workflow that answers" })).toHaveValue("cancel");
  await expect(page.getByRole("textbox", { name: /^Persona/ })).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press("Control+Shift+P");
  const dialog = page.getByRole("dialog", { name: "Publish the draft" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Open the canvas" }).click();
  await expect(page).toHaveURL(/workflows/);
});
