import { expect, expectAccessible, signIn, test } from "./fixture";
import { crash, keptIn } from "./recovery";

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
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
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

test("chosen prompts are deleted together, and come back whole", async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server);
  const place = `/admin/v1/workspaces/${server.workspaceId}/prompts`;
  for (const name of ["Tern", "Dunlin", "Knot"]) {
    await server.call("POST", place, { name, prompt_text: `Write as a ${name}.`, tags: ["bird"] });
  }
  await page.goto(`/console/w/${server.workspaceId}/prompts?tag=bird`);
  await page.getByRole("checkbox", { name: "Tern" }).click();
  await page.getByRole("checkbox", { name: "Knot" }).click();
  await expect(page.getByText("2 selected")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete 2" }).click();
  const rows = page.getByRole("grid").getByRole("row", { name: /Write as a/ });
  await expect(rows).toHaveText([/Dunlin/]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole("row", { name: /Write as a Knot\. ?bird/ })).toBeVisible();
});

test("a prompt that was not saved when its page ended is offered again", async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server);
  const list = `/console/w/${server.workspaceId}/prompts`;
  const words = "Answer as a lighthouse keeper would.";
  await page.goto(list);
  await page.getByRole("button", { name: "New prompt" }).first().click();
  await page.getByLabel("Prompt", { exact: true }).fill(words);
  await expect.poll(() => keptIn(page)).toContain(words);
  await crash(page);

  const next = await context.newPage();
  await next.goto(list);
  await next.getByRole("button", { name: "New prompt" }).first().click();
  const offer = next.getByRole("dialog", { name: "Changes that were not saved" });
  await expect(offer.getByRole("region", { name: "Change of Prompt" })).toHaveText(words);
  await expectAccessible(next);
  await offer.getByRole("button", { name: "Take over" }).click();
  await next.getByLabel("Name", { exact: true }).fill("Keeper");
  await next.getByRole("button", { name: "Create prompt" }).click();
  await expect(next.getByRole("dialog")).toHaveCount(0);
  await next.getByRole("button", { name: "New prompt" }).first().click();
  await expect(next.getByLabel("Prompt", { exact: true })).toHaveValue("");
  await expect(next.getByRole("dialog")).toHaveCount(1);
});

test("a prompt is opened by its name, and by an address", async ({ page, context, server }) => {
  await signIn(context, server);
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/prompts`,
    { name: "Ferry", prompt_text: "Tell when the next ferry leaves." },
  );
  const list = `/console/w/${server.workspaceId}/prompts`;
  await page.goto(`${list}?q=ferry`);
  await page.getByRole("link", { name: "Ferry" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit prompt" });
  await dialog.getByLabel("Description").fill("For the pier");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/prompts\?q=ferry$/);
  await page.goto(`${list}?q=nothing&prompt=${id}`);
  await expect(dialog.getByLabel("Description")).toHaveValue("For the pier");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/prompts\?q=nothing$/);
});
