import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectAccessible, prefer, signIn, test } from "./fixture";
import type { Server } from "./server";

const EXAMPLE = join(
  import.meta.dirname,
  "../../../tests/fixtures/workflow/ex02_selector_merge.json",
);

type Canvas = {
  nodes: {
    id: string;
    type: string;
    meta: { position: { x: number; y: number } };
    data: { nodeMeta: { title: string } };
  }[];
  edges: { sourceNodeID: string; targetNodeID: string }[];
};

/** A workflow that was published; its draft has a title changed, a node removed and one added. */
async function edited(server: Server): Promise<string> {
  const schema = readFileSync(EXAMPLE, "utf8");
  const path = `/admin/v1/workspaces/${server.workspaceId}/workflows:import`;
  const { workflow } = await server.call<{ workflow: { id: string } }>("POST", path, {
    schema,
    name: "Two ways",
  });
  await server.call("POST", `/admin/v1/workflows/${workflow.id}/publish`, {
    force: true,
    description: "First of all",
  });
  const canvas: Canvas = JSON.parse(schema);
  const texts = canvas.nodes.filter(({ type }) => type === "15");
  const [first, gone] = texts;
  if (!first || !gone) throw new Error("The example has two texts");
  first.data.nodeMeta.title = "Greeting";
  const kept = canvas.nodes.filter((each) => each !== gone);
  const added = { ...structuredClone(gone), id: "555555" };
  added.data.nodeMeta.title = "Farewell";
  added.meta.position.y += 240;
  await server.call("PUT", `/admin/v1/workflows/${workflow.id}/canvas`, {
    schema: {
      ...canvas,
      nodes: [...kept, added],
      edges: canvas.edges.filter(
        (each) => each.sourceNodeID !== gone.id && each.targetNodeID !== gone.id,
      ),
    },
  });
  return workflow.id;
}

test("two states of a workflow lie over each other; a version is restored and given back", async ({
  signedIn: page,
  server,
}) => {
  const id = await edited(server);
  await page.goto(`/console/w/${server.workspaceId}/workflows/${id}`);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Versions" }).click();
  const versions = page.getByRole("list", { name: "Versions" });
  await expect(versions.getByRole("listitem")).toHaveCount(2);
  await expect(page.getByText("First of all")).toBeVisible();

  await versions.getByRole("button", { name: "Compare with the draft: v0.0.1" }).click();
  const changes = page.getByRole("list", { name: "Changes" });
  await expect(changes.getByText("Added")).toBeVisible();
  await expect(changes.getByText("Removed")).toBeVisible();
  await expect(changes.getByRole("region", { name: "Title" }).locator("ins")).toHaveText(
    "Greeting",
  );
  await expect(page.locator(".react-flow__node [data-change=removed]")).toHaveCount(1);
  await page.keyboard.press("]");
  await expect(changes.locator("[aria-current=true]")).toHaveCount(1);
  await expectAccessible(page);

  await page.getByRole("button", { name: "End the comparison" }).click();
  await versions.getByRole("button", { name: "Restore: v0.0.1" }).click();
  await expect(page.getByText("v0.0.1 is the draft now")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("The draft is as it was before")).toBeVisible();
  const { schema } = await server.call<{ schema: Canvas }>(
    "GET",
    `/admin/v1/workflows/${id}/canvas`,
  );
  expect(schema.nodes.map((each) => each.data.nodeMeta.title)).toContain("Greeting");
});

test("the comparison is accessible in Chinese and dark, and on a phone", async ({
  context,
  page,
  server,
}) => {
  test.skip(!process.env["CONSOLE_LONG"], "one language and theme is enough where time is short");
  const id = await edited(server);
  await prefer(context, server, "zh", "dark");
  await signIn(context, server);
  await page.goto(`/console/w/${server.workspaceId}/workflows/${id}/versions?a=v0.0.1&b=draft`);
  await expect(page.getByRole("list", { name: "变更" })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
});
