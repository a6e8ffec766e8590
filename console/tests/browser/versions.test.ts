import { expect, expectAccessible, prefer, signIn, test } from "./fixture";
import type { Server } from "./server";

/** An agent that was published three times; each version says more, and the last one was asked. */
async function published(server: Server): Promise<string> {
  const flow = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/workflows`,
    { name: "soundings", description: "Tells how deep the water is.", mode: 0 },
  );
  await server.call("POST", `/admin/v1/workflows/${flow.id}/publish`, { force: true });
  const path = `/admin/v1/workspaces/${server.workspaceId}/agents`;
  const { id } = await server.call<{ id: string }>("POST", path, { name: "Lighthouse" });
  const states = [
    { prompt: { text: "You watch the sea and answer kindly." } },
    { prompt: { text: "You watch the sea and answer briefly." } },
    {
      variables: [{ key: "tide", description: "High or low" }],
      model: { temperature: 0.2 },
      workflows: [{ workflow_id: flow.id, tool_name: "soundings" }],
    },
  ];
  for (const [index, state] of states.entries()) {
    await server.call("PATCH", `/admin/v1/agents/${id}`, state);
    const description = `Note ${index + 1}`;
    await server.call("POST", `/admin/v1/agents/${id}/publish`, { description });
  }
  const messages = [{ role: "user", content: "Is it foggy?" }];
  await server.call("POST", "/v1/chat/completions", { model: id, messages });
  return id;
}

test("versions are compared by what they say, restored, and given back", async ({
  signedIn: page,
  server,
}) => {
  const id = await published(server);
  await page.goto(`/console/w/${server.workspaceId}/agents/${id}`);
  await page.getByRole("button", { name: "More actions for Lighthouse" }).click();
  await page.getByRole("menuitem", { name: "Versions" }).click();
  const list = page.getByRole("list", { name: "Versions" });
  await expect(list.getByRole("listitem")).toHaveCount(3);
  await expect(list.getByRole("listitem").first()).toContainText(/Version 3.*API.*1 run in 7 days/);
  await expect(list.getByRole("listitem").last()).toContainText("No runs in 7 days");
  const changes = page.getByRole("region", { name: "Changes" });
  await expect(changes.getByText("Nothing differs")).toBeVisible();

  await list.getByRole("button", { name: "Compare Version 1 with the draft" }).click();
  const persona = changes.getByRole("region", { name: "Persona" });
  await expect(persona.locator("del")).toHaveText(["kindly"]);
  await expect(persona.locator("ins")).toHaveText(["briefly"]);
  await expect(changes.getByRole("region", { name: "Variables" })).toContainText("tide");
  await expect(changes.getByRole("region", { name: "Model" })).toContainText("0.2");
  await expect(changes.getByRole("region", { name: "Tools" })).toContainText("soundings");
  await expectAccessible(page);

  await list.getByRole("button", { name: "Make Version 1 the draft" }).click();
  await expect(changes.getByText("Nothing differs")).toBeVisible();
  const draft = await server.call<{ prompt: { text: string } }>("GET", `/admin/v1/agents/${id}`);
  expect(draft.prompt.text).toContain("kindly");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(persona.locator("ins")).toHaveText(["briefly"]);
});

test("versions are accessible in Chinese and dark, and on a phone", async ({
  context,
  page,
  server,
}) => {
  const id = await published(server);
  await prefer(context, server, "zh", "dark");
  await signIn(context, server);
  await page.goto(`/console/w/${server.workspaceId}/agents/${id}/versions`);
  await page.getByRole("button", { name: "将版本 1与草稿比较" }).click();
  await expect(page.getByRole("region", { name: "人设" })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await expectAccessible(page);
});
