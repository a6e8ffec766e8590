import type { Page } from "@playwright/test";
import { expect, expectAccessible, testIn } from "./fixture";
import type { Server } from "./server";
import { plannedAgent } from "./upstream";

const HANDBOOK = "# Ferries\n\nThe ferry leaves at ten past nine from the east quay.";
const NOTE = { data: [{ keyword: "mood", value: "good" }] };

/** An agent that knows a handbook and its user, takes a note and answers; and a run of it. */
const test = testIn(async (server, upstream) => {
  const model = await upstream.model(server, "planned");
  const plan = [
    { say: "Noted.", calls: [{ name: "setKeywordMemory", arguments: NOTE }] },
    { say: "It leaves at ten past nine." },
  ];
  const agent = await plannedAgent(server, "Harbour guide", model, plan, {
    knowledge: { datasets: [await handbook(server)], auto: true, min_score: 0 },
    variables: [{ key: "mood", description: "How the user feels" }],
  });
  const { run_id: run } = await server.call<{ run_id: string }>(
    "POST",
    `/admin/v1/agents/${agent}/chats`,
    { version: "draft", content: "When does the ferry leave?" },
  );
  await stored(server, run);
  return { run };
});

/** A base whose only document can be found. */
async function handbook(server: Server): Promise<string> {
  const made = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/datasets`,
    { name: "Ferries", description: "When ferries leave." },
  );
  const path = `/admin/v1/datasets/${made.id}/documents`;
  await server.call("POST", path, {
    document_bases: [{ name: "Ferries", source_info: { custom_content: HANDBOOK } }],
  });
  await expect
    .poll(() =>
      server
        .call<{ items: { status: number }[] }>("GET", path)
        .then(({ items }) => items.map(({ status }) => status)),
    )
    .toEqual([1]);
  return made.id;
}

type Trace = { spans: { kind: string; name: string; input: string | null }[] };

/** The trace that the end of a run leaves. */
async function stored(server: Server, run: string): Promise<Trace> {
  const path = `/admin/v1/traces/${run}`;
  await expect.poll(() => server.call("GET", path).then(Boolean, () => false)).toBe(true);
  return await server.call<Trace>("GET", path);
}

function modelCalls(page: Page) {
  return page
    .getByRole("treegrid", { name: "Steps of the run" })
    .getByRole("row", { name: /Model call planned/ });
}

test("the prompt is shown as the model's server got it, with what it is made of", async ({
  signedIn: page,
  context,
  world: { server, run, upstream },
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/console/w/${server.workspaceId}/runs/${run}`);
  const record = (await upstream.record()).filter((body) => body.includes("ferry leave?"));
  await expect(modelCalls(page)).toHaveCount(record.length);
  for (const [index, sent] of record.entries()) {
    await modelCalls(page).nth(index).click();
    await page.getByRole("button", { name: "Copy JSON" }).click();
    await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sent);
  }
  const shares = page.getByRole("img", { name: /What the prompt is made of/ });
  await expect(shares).toHaveAccessibleName(
    /Instructions \d+%, Memory \d+%, Knowledge \d+%, Tools \d+%, History \d+%, Tool results \d+%, Question \d+%/,
  );
  await expectAccessible(page);
});

test("a run goes on anew from its second call, with what came before taken from it", async ({
  signedIn: page,
  world: { server, run, upstream },
}) => {
  const before = await upstream.record();
  await page.goto(`/console/w/${server.workspaceId}/runs/${run}`);
  await expect(modelCalls(page)).toHaveCount(2);
  await modelCalls(page).last().click();
  await page.getByRole("button", { name: "Run again" }).click();
  const dialog = page.getByRole("dialog", { name: "Run again" });
  await expect(dialog.getByRole("combobox", { name: "Begin" })).toContainText(
    "At the step “planned”",
  );
  await dialog.getByRole("textbox", { name: "Temperature" }).fill("0.3");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Run again" }).click();

  await expect(page).not.toHaveURL(new RegExp(`/runs/${run}`));
  await expect(page.getByRole("link", { name: "Compare with the original" })).toBeVisible();
  await expect(modelCalls(page)).toHaveCount(1);
  const [again] = (await upstream.record()).slice(before.length);
  expect(JSON.parse(again ?? "").temperature).toBe(0.3);
  expect(lastOf(again ?? "")).toEqual(lastOf(before.at(-1) ?? ""));
});

/** The call and its result; the tags around results have another name in every run. */
function lastOf(sent: string): unknown {
  return JSON.parse(sent.replaceAll(/data-[0-9a-f]{8}/g, "data")).messages.slice(-2);
}
