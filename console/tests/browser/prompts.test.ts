import { expect, expectAccessible, signIn, test } from "./fixture";

test("a text of the library is put into a persona by a slash", async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server);
  const place = `/admin/v1/workspaces/${server.workspaceId}`;
  await server.call("POST", `${place}/prompts`, {
    name: "Calm tone",
    description: "For complaints",
    prompt_text: "Answer calmly, in two sentences.",
  });
  await page.goto(`/console/w/${server.workspaceId}/prompts`);
  await page.getByRole("button", { name: "New prompt" }).first().click();
  await page.getByLabel("Prompt", { exact: true }).fill("Greet people of {{city}}.");
  await expect(page.getByText("Variables: city")).toBeVisible();
  await expectAccessible(page);
  const agent = await server.call<{ id: string }>("POST", `${place}/agents`, { name: "Desk" });
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent.id}`);
  const persona = page.getByRole("textbox", { name: /^Persona/ });
  await persona.click();
  await page.keyboard.type("You help. /calm");
  await expect(page.getByRole("option", { name: /Calm tone/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(persona).toHaveText("You help. Answer calmly, in two sentences.");
});
