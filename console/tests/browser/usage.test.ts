import { expect, expectAccessible, prefer, signIn, test } from "./fixture";
import type { Server } from "./server";

/** Some calls through two surfaces. */
async function talk(server: Server): Promise<void> {
  const { items } = await server.call<{ items: { id: string; name: string }[] }>(
    "GET",
    `/admin/v1/workspaces/${server.workspaceId}/agents?published=true`,
  );
  const agentId = items.find((each) => each.name === "Assistant")?.id ?? "";
  for (const content of ["Hello", "What can you do?"])
    await server.call("POST", "/v1/chat/completions", {
      model: agentId,
      messages: [{ role: "user", content }],
    });
  await server.call("POST", "/v3/chat", {
    bot_id: agentId,
    user_id: "visitor",
    additional_messages: [{ role: "user", content_type: "text", content: "Hello" }],
  });
  await expect
    .poll(async () => {
      const path = `/admin/v1/usage?workspace_id=${server.workspaceId}&agent_id=${agentId}`;
      const { total } = await server.call<{ total: { calls: number } }>("GET", path);
      return total.calls;
    })
    .toBeGreaterThanOrEqual(3);
}

function whole(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Number(text.replaceAll(",", "")), 0);
}

test("three groupings of usage have the same sums", async ({ signedIn: page, server }) => {
  await talk(server);
  const sums: number[][] = [];
  for (const [by, also] of [["agent"], ["model"], ["source", "kind"]]) {
    const query = new URLSearchParams({ by: by ?? "", ...(also && { also }) });
    await page.goto(`/console/w/${server.workspaceId}/usage?${query}`);
    const table = page.getByRole("region", { name: "By group" }).getByRole("table");
    await expect(table.locator("tbody tr").first()).toBeVisible();
    for (const kind of ["tokens", "calls"]) {
      const parts = await table.locator(`tbody [data-sum=${kind}]`).allTextContents();
      const total = await table.locator(`tfoot [data-sum=${kind}]`).textContent();
      expect(whole(parts)).toBe(whole([total ?? ""]));
    }
    sums.push(
      await Promise.all(
        ["tokens", "calls"].map(async (kind) =>
          whole([(await table.locator(`tfoot [data-sum=${kind}]`).textContent()) ?? ""]),
        ),
      ),
    );
  }
  expect(sums[0]?.[1]).toBeGreaterThanOrEqual(3);
  expect(sums[1]).toEqual(sums[0]);
  expect(sums[2]).toEqual(sums[0]);
  await expectAccessible(page);
  await page.getByText("Table", { exact: true }).click();
  await expect(page.getByRole("region", { name: "Over time" }).getByRole("row")).toHaveCount(31);
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  expect((await file).suggestedFilename()).toMatch(/\.csv$/);
  await page.goto(`/console/w/${server.workspaceId}/usage?by=agent`);
  await page.getByRole("link", { name: "Assistant" }).click();
  await expect(page).toHaveURL(/\/runs\?.*agent=/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Runs");
});

test("a budget is set, shown as a meter, changed and deleted", async ({ console: page }) => {
  await page.getByRole("link", { name: "Usage" }).click();
  await page.getByRole("tab", { name: "Budgets" }).click();
  await page.getByRole("button", { name: "New budget" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Amount" }).fill("1000000");
  await dialog.getByRole("combobox", { name: "Counted in" }).click();
  await page.getByRole("option", { name: "Tokens" }).click();
  await dialog.getByRole("textbox", { name: "Name" }).fill("All of us");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create budget" }).click();
  const meter = page.getByRole("meter", { name: "All of us" });
  await expect(meter).toHaveAttribute("aria-valuetext", /of 1,000,000 tokens$/);
  await expectAccessible(page);
  await page.getByRole("button", { name: /More actions for All of us/ }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await dialog.getByRole("textbox", { name: "Amount" }).fill("2000000");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(meter).toHaveAttribute("aria-valuetext", /of 2,000,000 tokens$/);
  await page.getByRole("button", { name: /More actions for All of us/ }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete budget" }).click();
  await expect(page.getByRole("heading", { name: "No budgets yet" })).toBeVisible();
});

test("usage is accessible in the dark and in Chinese", async ({ context, page, server }) => {
  await talk(server);
  await prefer(context, server, "zh", "dark");
  await signIn(context, server);
  await page.goto(`/console/w/${server.workspaceId}/usage`);
  await expect(page.getByRole("region", { name: "分组明细" })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
