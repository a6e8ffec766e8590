import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test, UNANSWERED } from "./fixture";
import { crash, keptIn } from "./recovery";
import type { Server } from "./server";

const EXAMPLES = join(import.meta.dirname, "../../../tests/fixtures/workflow");

function example(name: string): string {
  const file = readdirSync(EXAMPLES).find(
    (each) => each.startsWith(name) && !each.includes(".case."),
  );
  if (!file) throw new Error(`No example ${name}`);
  return readFileSync(join(EXAMPLES, file), "utf8");
}

async function imported(server: Server, name: string, schema: string): Promise<string> {
  const path = `/admin/v1/workspaces/${server.workspaceId}/workflows:import`;
  const made = await server.call<{ workflow: { id: string } }>("POST", path, { schema, name });
  return made.workflow.id;
}

async function exported(server: Server, id: string): Promise<string> {
  const response = await fetch(`${server.url}/admin/v1/workflows/${id}/export`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  return await response.text();
}

async function opened(page: Page, server: Server, id: string): Promise<void> {
  await page.goto(`/console/w/${server.workspaceId}/workflows/${id}`);
  await expect(page.getByRole("application").first()).toBeVisible();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
}

test("a workflow is drawn, run and published by keys", async ({ signedIn: page, server }) => {
  await page.goto(`/console/w/${server.workspaceId}/workflows`);
  await page.getByRole("button", { name: "New workflow" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("By keys");
  await page.keyboard.press("Enter");
  const canvas = page.getByRole("application").first();
  await expect(canvas).toBeVisible();
  await canvas.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  const title = page.getByRole("textbox", { name: "Title" });
  await expect(title).toHaveValue("Start");
  await page.getByRole("button", { name: "Add an input" }).press("Enter");
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("input");
  await canvas.focus();
  await page.keyboard.press("Space");
  await page.getByRole("combobox", { name: "Search nodes" }).fill("text proc");
  await expect(page.getByRole("option", { name: "Text processing" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(title).toHaveValue("Text processing");
  const text = page.getByRole("textbox", { name: "Joined text" });
  await text.fill("Hello {{String1}}");
  await page.getByRole("button", { name: "Choose a value for String1" }).press("Enter");
  await page.getByRole("combobox", { name: "Search values" }).press("Enter");
  await canvas.focus();
  await page.keyboard.press("c");
  await page.getByRole("combobox").fill("End");
  await page.keyboard.press("Enter");
  await canvas.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(title).toHaveValue("End");
  await page.getByRole("button", { name: "Add an output" }).press("Enter");
  await page
    .getByRole("button", { name: /^Choose a value for/ })
    .first()
    .press("Enter");
  await page.getByRole("combobox", { name: "Search values" }).fill("output");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Enter");
  const run = page.getByRole("complementary", { name: "Test run" });
  await run.getByRole("textbox").first().fill("Ada");
  await run.getByRole("button", { name: "Run" }).press("Enter");
  await expect(run.getByText("Done", { exact: true })).toBeVisible();
  await expect(run.getByText('"Hello Ada"')).toBeVisible();
  await page.getByRole("button", { name: "Publish", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Publish v0.0.1" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Published v0.0.1" })).toBeVisible();
});

test("a form keeps the focus while the palette stays open beside it", async ({
  signedIn: page,
  server,
}) => {
  const made = `/admin/v1/workspaces/${server.workspaceId}/workflows`;
  const { id } = await server.call<{ id: string }>("POST", made, { name: "Palette" });
  await opened(page, server, id);
  await page.getByRole("button", { name: "Add node" }).click();
  await page.getByRole("combobox", { name: "Search nodes" }).fill("branch");
  await expect(page.getByRole("option").first()).toHaveAccessibleName(/^Condition/);
  await page.keyboard.press("Enter");
  await page.getByRole("application", { name: "Canvas" }).getByText("Condition").click();
  const right = page.getByRole("textbox", { name: "Right side" });
  await right.fill("refund");
  await expect.poll(() => exported(server, id)).toContain("refund");
  await expect(right).toBeFocused();
});

test("an input reads a variable that nothing used yet, and says where a list is cut", async ({
  signedIn: page,
  server,
}) => {
  const input = { type: "string", value: { type: "literal", content: "x" } };
  const people = { name: "people", type: "list" };
  const member = { type: "object", schema: [{ name: "name", type: "string" }] };
  const node = (id: string, type: string, title: string, x: number, data: object) => ({
    id,
    type,
    meta: { position: { x, y: 0 } },
    data: { nodeMeta: { title }, ...data },
  });
  const canvas = {
    nodes: [
      node("100001", "1", "Start", 0, { outputs: [{ ...people, schema: member }] }),
      node("110001", "15", "Join", 460, {
        inputs: {
          method: "concat",
          inputParameters: [{ name: "where", input }],
          concatParams: [{ name: "concatResult", input }],
        },
        outputs: [{ name: "output", type: "string" }],
      }),
      node("900001", "2", "End", 920, { inputs: { terminatePlan: "returnVariables" } }),
    ],
    edges: [
      { sourceNodeID: "100001", targetNodeID: "110001" },
      { sourceNodeID: "110001", targetNodeID: "900001" },
    ],
  };
  const id = await imported(server, "Variables", JSON.stringify(canvas));
  await opened(page, server, id);
  await page.locator(".react-flow__node").filter({ hasText: "Join" }).click();
  const choose = page.getByRole("button", { name: "Choose a value for where" });
  const search = page.getByRole("combobox", { name: "Search values" });
  await choose.click();
  await expect(page.getByRole("option", { name: "sys_uuid" })).toBeVisible();
  const popup = page.getByRole("dialog", { name: "Values" });
  const tops = [popup, search].map(async (each) => (await each.boundingBox())?.y ?? 0);
  const [above = 0, inside = 0] = await Promise.all(tops);
  expect(inside, "the field is not cut off").toBeGreaterThan(above + 8);
  await search.fill("city");
  await expect(page.getByRole("group", { name: "User variables" })).toBeVisible();
  await expectAccessible(page);
  await search.press("Enter");
  await expect(page.getByTitle("User.city")).toBeVisible();
  await expect.poll(() => exported(server, id)).toContain('"global_variable_user"');

  await choose.click();
  await search.fill("people.name");
  await search.press("Enter");
  await expect(page.getByRole("img", { name: "first element" })).toBeVisible();
});

test("a problem that needs no decision is mended from the list of problems", async ({
  signedIn: page,
  server,
}) => {
  const data = (title: string, more = {}) => ({ nodeMeta: { title }, ...more });
  const at = (x: number, y = 0) => ({ position: { x, y } });
  const canvas = {
    nodes: [
      { id: "100001", type: "1", meta: at(0), data: data("Start", { outputs: [] }) },
      { id: "110001", type: "15", meta: at(460, 200), data: data("Lonely", { inputs: {} }) },
      {
        id: "900001",
        type: "2",
        meta: at(920),
        data: data("End", { inputs: { terminatePlan: "returnVariables" } }),
      },
    ],
    edges: [{ sourceNodeID: "100001", targetNodeID: "900001" }],
  };
  const id = await imported(server, "Lonely", JSON.stringify(canvas));
  await opened(page, server, id);
  const lonely = page.locator(".react-flow__node").filter({ hasText: "Lonely" });
  await expect(lonely).toHaveCount(1);
  await page.getByRole("button", { name: /^Problems/ }).click();
  const list = page.getByRole("complementary", { name: "Problems" });
  const fix = list.getByRole("button", { name: "Delete the node" });
  await expect(fix).toBeVisible();
  await expectAccessible(page);
  await fix.click();
  await expect(lonely).toHaveCount(0);
  await expect(fix).toHaveCount(0);
  await page.getByRole("button", { name: "Undo: Delete the node" }).click();
  await expect(lonely).toHaveCount(1);
});

test("a canvas keeps its bytes, and a moved node changes its place alone", async ({
  signedIn: page,
  server,
}) => {
  const text = example("ex08");
  const id = await imported(server, "Bytes", text);
  await opened(page, server, id);
  expect(await exported(server, id)).toBe(text);
  await page.getByRole("application").first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => exported(server, id)).toBe(text.replace('"x": 460', '"x": 510'));
  await page.keyboard.press("Control+z");
  await expect.poll(() => exported(server, id)).toBe(text);
});

test("whatever is done on the canvas can be undone to the byte", async ({
  signedIn: page,
  server,
}) => {
  const text = example("ex03");
  const id = await imported(server, "Walk", text);
  await opened(page, server, id);
  await page.getByRole("application").first().focus();
  const undo = page.getByRole("button", { name: /^(Undo|Nothing to undo)/ });
  const acts = ["Shift+ArrowDown", "Control+d", "Delete", "ArrowRight", "Control+Shift+l", "Home"];
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press(acts[(step * 7 + (step >> 2)) % acts.length] ?? "Home");
  }
  for (let step = 0; step < 200; step += 1) {
    if ((await undo.getAttribute("aria-disabled")) === "true") break;
    await page.keyboard.press("Control+z");
  }
  await expect(undo).toHaveAttribute("aria-disabled", "true");
  await expect.poll(() => exported(server, id)).toBe(text);
});

test("every kind of node opens, shows what is wrong with it, and keeps its bytes", async ({
  signedIn: page,
  server,
}) => {
  test.skip(!process.env["CONSOLE_LONG"], "fifty forms take their time");
  const kinds = await server.call<{ items: { type_id: string; defaults: object }[] }>(
    "GET",
    "/admin/v1/workflow-node-types",
  );
  const all = [...kinds.items, { type_id: "14", defaults: {} }, { type_id: "4711", defaults: {} }];
  const nodes = all.map(({ type_id: type, defaults }, index) => ({
    id: String(100_001 + index),
    type,
    meta: { position: { x: (index % 10) * 460, y: Math.floor(index / 10) * 400 } },
    data: { nodeMeta: { title: `Kind ${type}` }, ...defaults },
  }));
  const text = JSON.stringify({ nodes, edges: [], kept: 1.0e3 }, undefined, 1);
  const id = await imported(server, "Kinds", text);
  await opened(page, server, id);
  const { items } = await server.call<{
    items: { diagnostics: { node_id: string; severity: string; message: string }[] }[];
  }>("POST", `/admin/v1/workflows/${id}/validate`, JSON.parse(text));
  await page.getByRole("button", { name: "Outline" }).click();
  const panel = page.getByRole("complementary", { name: "Node" });
  for (const node of nodes) {
    const name = `Kind ${node.type}`;
    await page.locator(`button[data-id="${node.id}"]`).click();
    await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue(name);
    const found = items[0]?.diagnostics.find(
      (each) => each.node_id === node.id && each.severity !== "info",
    );
    if (found) await expect(panel.getByText(found.message).first()).toBeVisible();
  }
  await expect(page.getByRole("button", { name: "Nothing to undo" })).toBeVisible();
  expect(await exported(server, id)).toBe(text);
});

test("changes of two editors are put together", async ({ signedIn: page, server }) => {
  const text = example("ex02");
  const id = await imported(server, "Two", text);
  await opened(page, server, id);
  const theirs = text.replace('"Text 003"', '"Theirs"');
  expect(theirs).not.toBe(text);
  await server.call("PUT", `/admin/v1/workflows/${id}/canvas`, JSON.parse(theirs));
  await page.getByRole("application").first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowDown");
  await expect
    .poll(async () => {
      const now = await exported(server, id);
      return now.includes("Theirs") && JSON.parse(now).nodes[0].meta.position.y === 190;
    })
    .toBe(true);
});

test("a canvas that is saved while it is opened is edited as it was saved", async ({
  console: page,
  server,
}) => {
  const text = example("ex02");
  const id = await imported(server, "While opening", text);
  const theirs = text.replace('"Text 003"', '"Theirs"');
  const stale: number[] = [];
  page.on("response", (each) => {
    if (each.request().method() === "PUT") stale.push(each.status());
  });
  const told = page.waitForResponse(
    (each) => new URL(each.url()).pathname === `/admin/v1/workflows/${id}`,
  );
  await page.route(
    /\/export\b/,
    async (route) => {
      await told;
      await server.call("PUT", `/admin/v1/workflows/${id}/canvas`, JSON.parse(theirs));
      await route.continue();
    },
    { times: 1 },
  );
  await opened(page, server, id);
  await page.getByRole("application").first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowDown");
  await expect
    .poll(async () => JSON.parse(await exported(server, id)).nodes[0].meta.position.y)
    .toBe(190);
  expect(await exported(server, id)).toContain("Theirs");
  expect(stale).not.toContain(409);
});

test("what somebody else saves comes in by itself", async ({ console: page, server }) => {
  const text = example("ex02");
  const id = await imported(server, "Live", text);
  const told = page.waitForResponse((each) => each.url().endsWith("/admin/v1/presence"));
  const channel = page.waitForResponse((each) => each.url().includes("/admin/v1/live"));
  await opened(page, server, id);
  await Promise.all([told, channel]);
  const theirs = text.replace('"Text 003"', '"Theirs"');
  await server.call("PUT", `/admin/v1/workflows/${id}/canvas`, JSON.parse(theirs));
  await page.getByRole("button", { name: "Undo: Put changes together" }).waitFor();
  await page.getByRole("button", { name: "Outline" }).click();
  await expect(page.getByRole("list", { name: "Outline" })).toContainText("Theirs");
});

test.describe("without an answer", () => {
  test.use({ refusals: UNANSWERED });

  test("what a crash kept from being saved of a canvas is offered again", async ({
    context,
    console: page,
    server,
  }) => {
    const id = await imported(server, "Interrupted", example("ex02"));
    await page.route(`**/admin/v1/workflows/${id}/canvas`, (route) => route.abort());
    await opened(page, server, id);
    await page.getByRole("application").first().focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+ArrowDown");
    await expect.poll(() => keptIn(page)).toContain(id);
    await crash(page);

    const next = await context.newPage();
    await opened(next, server, id);
    const dialog = next.getByRole("dialog", { name: "Changes that were not saved" });
    await expect(dialog.getByRole("list", { name: "Changes" })).toContainText("Moved");
    await expectAccessible(next);
    await dialog.getByRole("button", { name: "Take over" }).click();
    await expect
      .poll(async () => JSON.parse(await exported(server, id)).nodes[0].meta.position.y)
      .toBe(190);
    await next.close();
  });
});

test("the canvas breaks no rule of accessibility", async ({ signedIn: page, server }) => {
  const id = await imported(server, "Rules", example("ex02"));
  await opened(page, server, id);
  await page.getByRole("application").first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("complementary", { name: "Node" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Outline" }).click();
  await expect(page.getByRole("list", { name: "Outline" })).toBeVisible();
  await expectAccessible(page);
});

const NODES = {
  start: {
    id: "100001",
    type: "1",
    meta: { position: { x: 0, y: 0 } },
    data: { nodeMeta: { title: "Start" }, outputs: [{ name: "floor", type: "integer" }] },
  },
  query: { id: "110001", type: "43", meta: { position: { x: 500, y: 0 } } },
  end: {
    id: "900001",
    type: "2",
    meta: { position: { x: 1000, y: 0 } },
    data: { nodeMeta: { title: "End" }, inputs: { terminatePlan: "returnVariables" } },
  },
};

/** A canvas that is seen as a whole at first: a start, one node, an end. */
function inARow(middle: typeof NODES.query & { data: object }): string {
  return JSON.stringify({
    nodes: [NODES.start, middle, NODES.end],
    edges: [
      { sourceNodeID: NODES.start.id, targetNodeID: middle.id },
      { sourceNodeID: middle.id, targetNodeID: NODES.end.id },
    ],
  });
}

/** Whether the card of a node is seen whole, right of the palette and left of the panel. */
async function isSeen(page: Page, title: string): Promise<boolean> {
  const cards = page.locator(".react-flow__node").filter({ hasText: title });
  if ((await cards.count()) === 0) return false;
  const card = await cards.first().boundingBox();
  const room = await page.getByRole("application").first().boundingBox();
  if (!card || !room) return false;
  return card.x >= room.x && card.x + card.width <= room.x + room.width;
}

test("the zoom changes at once for whoever wants nothing to move", async ({
  signedIn: page,
  server,
}) => {
  const id = await imported(server, "Still", example("ex02"));
  await opened(page, server, id);
  await page.getByRole("application").first().focus();
  const zoom = () =>
    page.evaluate(() => {
      const seen = document.querySelector(".react-flow__viewport");
      return seen && new DOMMatrix(getComputedStyle(seen).transform).a;
    });
  await page.keyboard.press("ControlOrMeta+1");
  await page.keyboard.press("ControlOrMeta+-");
  // Each answer is of the moment: nothing waits here for what glides.
  expect(await zoom()).toBeLessThan(1);
  await page.keyboard.press("ControlOrMeta+1");
  expect(await zoom()).toBe(1);
});

test("a panel leaves all nodes in sight, and gives the view back", async ({
  signedIn: page,
  server,
}) => {
  const id = await imported(server, "In sight", inARow({ ...NODES.query, data: {} }));
  await opened(page, server, id);
  const view = page.locator(".react-flow__viewport");
  const before = await view.getAttribute("style");
  await page.getByRole("application").first().focus();
  for (const open of ["Run", "Problems"]) {
    await page
      .getByRole("button", { name: new RegExp(`^${open}|^\\d+ problem`) })
      .first()
      .click();
    const panel = page.getByRole("complementary").last();
    await expect(panel).toBeVisible();
    await expect.poll(() => isSeen(page, "End")).toBe(true);
    await panel.getByRole("button", { name: "Close" }).click();
    await expect(view).toHaveAttribute("style", before ?? "");
  }
});

test("a panel that opens as soon as all nodes were brought into sight leaves them there", async ({
  console: page,
  server,
}) => {
  const id = await imported(server, "On its way", inARow({ ...NODES.query, data: {} }));
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await opened(page, server, id);
  const canvas = page.getByRole("application").first();
  await canvas.focus();
  await page.keyboard.press("Control+1");
  await expect(page.getByText("100%", { exact: true })).toBeVisible();
  await page.keyboard.press("Control+0");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("complementary", { name: "Test run" })).toBeVisible();
  await expect.poll(() => isSeen(page, "Start")).toBe(true);
  await expect.poll(() => isSeen(page, "End")).toBe(true);
});

test("palette and panel leave in sight what was seen of a larger canvas", async ({
  signedIn: page,
  server,
}) => {
  const titled = { ...NODES.query, data: { nodeMeta: { title: "Middle" } } };
  const id = await imported(server, "A part", inARow(titled));
  await opened(page, server, id);
  const canvas = page.getByRole("application").first();
  const view = page.locator(".react-flow__viewport");
  await canvas.focus();
  await page.keyboard.press("Control+1");
  await expect(page.getByText("100%", { exact: true })).toBeVisible();
  await expect.poll(() => isSeen(page, "Middle")).toBe(true);
  expect(await isSeen(page, "End")).toBe(false);
  const before = await view.getAttribute("style");
  await page.getByRole("button", { name: "Add node" }).click();
  await page
    .getByRole("button", { name: /^Problems|^\d+ problem/ })
    .first()
    .click();
  const panel = page.getByRole("complementary").last();
  await expect(panel).toBeVisible();
  await expect.poll(() => isSeen(page, "Middle")).toBe(true);
  await panel.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Add node" }).click();
  await expect(view).toHaveAttribute("style", before ?? "");
});

test("what is added while nothing is chosen covers nothing, and is in sight", async ({
  signedIn: page,
  server,
}) => {
  const id = await imported(server, "Room", inARow({ ...NODES.query, data: {} }));
  await opened(page, server, id);
  await page.getByRole("application").first().focus();
  await page.getByRole("button", { name: "Add node" }).click();
  const palette = page.getByRole("complementary", { name: "Nodes to add" });
  const cards = page.locator(".react-flow__node");
  for (let count = 4; count < 8; count += 1) {
    await page.getByRole("application").first().focus();
    await page.keyboard.press("Escape");
    await palette.getByRole("option", { name: "Text processing" }).click();
    await expect(cards).toHaveCount(count);
  }
  const added = await page
    .locator(".react-flow__node.selected")
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON()));
  const boxes = await cards.evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect().toJSON()),
  );
  const covering = boxes.filter((one, at) =>
    boxes.some(
      (other, against) =>
        at !== against &&
        one.left < other.right &&
        other.left < one.right &&
        one.top < other.bottom &&
        other.top < one.bottom,
    ),
  );
  expect(covering).toEqual([]);
  const room = await page.getByRole("application").first().boundingBox();
  expect(added).toHaveLength(1);
  expect(added[0].left).toBeGreaterThanOrEqual(room?.x ?? Number.NaN);
  expect(added[0].bottom).toBeLessThanOrEqual((room?.y ?? 0) + (room?.height ?? 0));
});

test("a run that has ended brings the nodes that it went through into sight", async ({
  signedIn: page,
  server,
}) => {
  const id = await imported(server, "The way", example("ex02"));
  await opened(page, server, id);
  await page.getByRole("application").first().focus();
  for (const key of ["Shift+L", "0", "1"]) await page.keyboard.press(`Control+${key}`);
  await expect(page.getByText("100%", { exact: true })).toBeVisible();
  expect(await isSeen(page, "End 001")).toBe(false);
  await page.keyboard.press("Control+Enter");
  const panel = page.getByRole("complementary", { name: "Test run" });
  await panel.getByRole("textbox").first().fill("12");
  await panel.getByRole("button", { name: "Run" }).first().click();
  await expect(panel.getByText("Done", { exact: true })).toBeVisible();
  for (const title of ["Start 001", "Text 003", "End 001"]) {
    await expect.poll(() => isSeen(page, title)).toBe(true);
  }
});

test("a canvas that nobody changed is checked without being sent", async ({
  console: page,
  server,
}) => {
  const id = await imported(server, "Unchanged", example("ex02"));
  const check = () => page.waitForRequest((each) => each.url().endsWith(`/${id}/validate`));
  const first = check();
  await opened(page, server, id);
  expect((await first).headers()["content-type"]).toBeUndefined();
  const second = check();
  await page.getByRole("application").first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowDown");
  expect((await second).headers()["content-type"]).toBe("application/json");
});

test("a query runs alone with a value that its condition reads of another node", async ({
  signedIn: page,
  server,
}) => {
  const table = await server.call<{ id: string; fields: { id: string; name: string }[] }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/databases`,
    { table_name: "shelves", rw_mode: 3, fields: [{ name: "title" }, { name: "floor", type: 2 }] },
  );
  await server.call("POST", `/admin/v1/databases/${table.id}/records:insert`, {
    env: "draft",
    records: [
      { title: "Maps", floor: 1 },
      { title: "Letters", floor: 2 },
    ],
  });
  const title = table.fields.find((each) => each.name === "title")?.id;
  const literal = (content: string) => ({
    type: "string",
    value: { type: "literal", content },
  });
  const asked = { source: "block-output", blockID: "100001", name: "floor" };
  const condition = [
    { name: "left", input: literal("floor") },
    { name: "operation", input: literal("EQUAL") },
    { name: "right", input: { type: "integer", value: { type: "ref", content: asked } } },
  ];
  const inputs = {
    databaseInfoList: [{ databaseInfoID: table.id }],
    selectParam: {
      condition: { conditionList: [condition], logic: "AND" },
      fieldList: [{ fieldID: title, isDistinct: false }],
      limit: 10,
    },
  };
  const outputs = [
    {
      name: "outputList",
      type: "list",
      schema: { type: "object", schema: [{ name: "title", type: "string" }] },
    },
    { name: "rowNum", type: "integer" },
  ];
  const query = {
    ...NODES.query,
    data: { nodeMeta: { title: "Shelf" }, inputs, outputs },
  };
  const id = await imported(server, "Shelves", inARow(query));
  await page.goto(`/console/w/${server.workspaceId}/workflows/${id}?node=110001`);
  const form = page.getByRole("complementary", { name: "Node" });
  await form.getByRole("button", { name: "Run this node" }).click();
  await form.getByRole("textbox", { name: "Start.floor" }).fill("2");
  await form.getByRole("button", { name: "Run", exact: true }).click();
  await expect(form.getByRole("treeitem", { name: "rowNum: 1" })).toBeVisible();
});

/** A start with a text, a condition on it whose other way leads nowhere, and an end without outputs. */
function branching(): string {
  const subject = { type: "string", value: { type: "ref", content: { source: "block-output" } } };
  const left = structuredClone(subject);
  Object.assign(left.value.content, { blockID: NODES.start.id, name: "subject" });
  const right = { type: "string", value: { type: "literal", content: "urgent" } };
  const conditions = [{ operator: 1, left: { input: left }, right: { input: right } }];
  const selector = {
    id: "110002",
    type: "8",
    meta: { position: { x: 500, y: 0 } },
    data: {
      nodeMeta: { title: "Urgent?" },
      inputs: { branches: [{ condition: { logic: 2, conditions } }] },
    },
  };
  const start = {
    ...NODES.start,
    data: { nodeMeta: { title: "Start" }, outputs: [{ name: "subject", type: "string" }] },
  };
  return JSON.stringify({
    nodes: [start, selector, NODES.end],
    edges: [
      { sourceNodeID: start.id, targetNodeID: selector.id },
      { sourceNodeID: selector.id, targetNodeID: NODES.end.id, sourcePortID: "true" },
      { sourceNodeID: selector.id, targetNodeID: NODES.end.id, sourcePortID: "false" },
    ],
  });
}

test("a tried branch says where it went and why, and publishing how it is called", async ({
  signedIn: page,
  server,
}) => {
  const id = await imported(server, "Sort letters", branching());
  await opened(page, server, id);
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByRole("button", { name: "Run it first" }).click();
  const run = page.getByRole("complementary", { name: "Test run" });
  await run.getByRole("textbox", { name: /^subject/ }).fill("urgent");
  await run.getByRole("button", { name: "Run", exact: true }).click();
  await expect(run.getByText("Done", { exact: true })).toBeVisible();
  const taken = page.locator("g[data-taken='true']");
  await expect(taken).toHaveCount(2);
  await page.locator(".react-flow__node").filter({ hasText: "Urgent?" }).click();
  const ways = page.getByRole("list", { name: "Which way it went" });
  await expect(ways.getByRole("listitem")).toHaveText(['If"urgent" is "urgent"taken']);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Run", exact: true }).first().click();
  await run.getByRole("textbox", { name: /^subject/ }).fill("later");
  await run.getByRole("button", { name: "Run", exact: true }).click();
  await expect(run.getByText("Nothing came out")).toBeVisible();
  await page.locator(".react-flow__node").filter({ hasText: "Urgent?" }).click();
  await expect(ways.getByRole("listitem")).toHaveText([
    'If"later" is "urgent"does not hold',
    "Otherwisetaken",
  ]);
  await page.getByRole("button", { name: "Run", exact: true }).first().click();
  await run.getByRole("button", { name: "Open the end" }).click();
  await page.getByRole("button", { name: "Add an output" }).click();
  await page.keyboard.type("verdict");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Choose a value for verdict" }).press("Enter");
  await page.getByRole("combobox", { name: "Search values" }).press("Enter");

  const port = page.locator(`[data-nodeid="110002"] .source, .source[data-nodeid="110002"]`);
  await port.last().click();
  await expect(page.getByRole("combobox", { name: "Search nodes" })).toBeFocused();
  await page.keyboard.type("text proc");
  await page.keyboard.press("Enter");
  const added = page.locator(".react-flow__node").filter({ hasText: "Text processing" });
  // It was no part of the run that is laid over the canvas, and is no part that was left out.
  await expect(added.locator("[data-faded]")).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(added).toHaveCount(0);

  await page.getByRole("button", { name: "Publish", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const force = dialog.getByRole("checkbox", { name: "Publish without a test run" });
  await force.click();
  const publish = dialog.getByRole("button", { name: "Publish v0.0.1" });
  await expect(publish).toBeDisabled();
  await dialog.getByRole("textbox", { name: "Why without a test run" }).fill("Only moved");
  await publish.click();
  await expect(dialog.getByText("/v1/workflow/run")).toBeVisible();
  await expect(dialog.getByText('"subject": "…"')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Close" }).first().click();
  await expect(page.getByText("Published v0.0.1")).toBeVisible();

  const caller = await imported(server, "Caller", calling(id));
  await page.locator(".react-flow__node").filter({ hasText: "End" }).click();
  await page.getByRole("button", { name: "Remove input verdict" }).click();
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expect(dialog.getByRole("button", { name: "Publish v1.0.0" })).toBeVisible();
  await expect(dialog.getByText("Callers have to follow")).toBeVisible();
  await expect(dialog.getByRole("link", { name: "Caller" })).toHaveAttribute(
    "href",
    new RegExp(`/workflows/${caller}$`),
  );
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Used by" }).click();
  await expect(dialog.getByRole("link", { name: "Caller" })).toBeVisible();
  await expectAccessible(page);
});

/** A canvas that calls a workflow. */
function calling(workflowId: string): string {
  return JSON.stringify({
    nodes: [
      { id: "100001", type: "1", data: { nodeMeta: { title: "Start" }, outputs: [] } },
      {
        id: "110001",
        type: "9",
        data: { nodeMeta: { title: "Call" }, inputs: { workflowId, inputParameters: [] } },
      },
      {
        id: "900001",
        type: "2",
        data: { nodeMeta: { title: "End" }, inputs: { terminatePlan: "returnVariables" } },
      },
    ],
    edges: [
      { sourceNodeID: "100001", targetNodeID: "110001" },
      { sourceNodeID: "110001", targetNodeID: "900001" },
    ],
  });
}

test("a problem leads to its field; lists are written, objects put together", async ({
  signedIn: page,
  server,
}) => {
  const id = await imported(server, "Fields", fields());
  await opened(page, server, id);
  await page.getByRole("button", { name: /^Problems/ }).click();
  const list = page.getByRole("complementary", { name: "Problems" });
  await list.getByRole("button").filter({ hasText: "WF201" }).click();
  const form = page.getByRole("complementary", { name: "Node" });
  await expect(form.getByRole("button", { name: "Choose a value for gone" })).toBeFocused();
  await page.keyboard.press("F8");
  await expect(form.getByRole("textbox", { name: "count", exact: true })).toBeFocused();
  await page.keyboard.press("Shift+F8");
  await expect(form.getByRole("button", { name: "Choose a value for gone" })).toBeFocused();
  await form.getByRole("button").filter({ hasText: "integer" }).first().click();
  await expect(form.getByRole("textbox", { name: "count", exact: true })).toBeFocused();

  const names = form.getByRole("textbox", { name: "names", exact: true });
  await expect(names).toHaveValue('["Ada", 9007199254740993]');
  await names.fill('["Ada",\n "Grace"');
  await expect(form.getByText("This is no list as JSON.")).toBeVisible();
  await names.press("End");
  await names.pressSequentially("]");
  await expect(form.getByText("This is no list as JSON.")).toHaveCount(0);
  await expect.poll(() => exported(server, id)).toContain('"[\\"Ada\\",\\n \\"Grace\\"]"');

  await form.getByRole("button", { name: "Put card together field by field" }).click();
  const card = form.getByRole("group", { name: "card" });
  await card.getByRole("button", { name: "Add a field to card" }).click();
  await card.getByRole("textbox", { name: "Name" }).fill("person");
  await page.keyboard.press("Enter");
  await card.getByRole("button", { name: "Choose a value for card.person" }).click();
  await page.getByRole("combobox", { name: "Search values" }).press("Enter");
  await expect(card.getByTitle("Start.who")).toBeVisible();
  await expect.poll(() => exported(server, id)).toContain('"object_ref"');
  await expectAccessible(page);
  await form.getByRole("button", { name: "Clear card", exact: true }).click();
  await expect(card).toHaveCount(0);

  await form.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "About this kind of node" }).click();
  await expect(page.getByRole("dialog", { name: "End" })).toContainText("The run ends here.");
  await expectAccessible(page);
});

/** A canvas whose end has something wrong, a list, and an object. */
function fields(): string {
  const literal = (content: unknown) => ({ type: "literal", content });
  const gone = { source: "block-output", blockID: "555555", name: "x" };
  const inputs = [
    { name: "gone", input: { type: "string", value: { type: "ref", content: gone } } },
    { name: "count", input: { type: "integer", value: literal("many") } },
    {
      name: "names",
      input: { type: "list", schema: { type: "string" }, value: literal(["Ada", "NUMBER"]) },
    },
    { name: "card", input: { type: "object", schema: [], value: literal("{}") } },
  ];
  const data = (title: string, more: object) => ({ nodeMeta: { title }, ...more });
  const text = JSON.stringify({
    nodes: [
      {
        id: "100001",
        type: "1",
        meta: { position: { x: 0, y: 0 } },
        data: data("Start", { outputs: [{ name: "who", type: "string" }] }),
      },
      {
        id: "900001",
        type: "2",
        meta: { position: { x: 460, y: 0 } },
        data: data("End", {
          inputs: { terminatePlan: "returnVariables", inputParameters: inputs },
        }),
      },
    ],
    edges: [{ sourceNodeID: "100001", targetNodeID: "900001" }],
  });
  // A number with more digits than JavaScript keeps.
  return text.replace(',"NUMBER"', ", 9007199254740993");
}

test("the menu says who uses a workflow and how it is called, and takes a file", async ({
  signedIn: page,
  server,
}) => {
  const id = await imported(server, "Menu", branching());
  const agents = `/admin/v1/workspaces/${server.workspaceId}/agents`;
  const agent = await server.call<{ id: string }>("POST", agents, { name: "Harbour desk" });
  await server.call("POST", `/admin/v1/workflows/${id}/publish`, { force: true });
  await server.call("PATCH", `/admin/v1/agents/${agent.id}`, {
    workflows: [{ workflow_id: id, tool_name: "menu" }],
  });
  await opened(page, server, id);
  const menu = page.getByRole("button", { name: "More" }).first();
  const dialog = page.getByRole("dialog");

  await menu.click();
  await page.getByRole("menuitem", { name: "Used by" }).click();
  await expect(dialog.getByRole("link", { name: "Harbour desk" })).toHaveAttribute(
    "href",
    new RegExp(`/agents/${agent.id}`),
  );
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await menu.click();
  await page.getByRole("menuitem", { name: "Code" }).click();
  await expect(dialog.getByText("/v1/workflow/run")).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await menu.click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expect(dialog.getByRole("heading", { name: "Canvas" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  const file = page.locator('input[type="file"]');
  const other = example("ex03");
  const none = { name: "none.json", mimeType: "application/json", buffer: Buffer.from("{}") };
  await file.setInputFiles(none);
  await expect(page.getByText("none.json holds no canvas.")).toBeVisible();
  await file.setInputFiles({ ...none, name: "ex03.json", buffer: Buffer.from(other) });
  await expect.poll(async () => JSON.parse(await exported(server, id))).toEqual(JSON.parse(other));
  await page.getByRole("button", { name: "Undo: Replace by ex03.json" }).click();
  await expect.poll(() => exported(server, id)).toBe(branching());
});

test("a chat flow says how it presents itself, and keeps what the dialog does not show", async ({
  signedIn: page,
  server,
}) => {
  const made = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/workflows`,
    { name: "Role", mode: 3 },
  );
  const role = `/admin/v1/workflows/${made.id}/role`;
  await server.call("PUT", role, { name: "Quay", audio: { voice: "low" } });
  await opened(page, server, made.id);
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Role" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox", { name: "Name" })).toHaveValue("Quay");
  await dialog.getByRole("textbox", { name: "Welcome" }).fill("Moin");
  await dialog.getByRole("textbox", { name: "First questions" }).fill("When?\n\nWhere?");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save the role" }).click();
  await expect(dialog).toHaveCount(0);
  expect(await server.call("GET", role)).toMatchObject({
    name: "Quay",
    audio: { voice: "low" },
    onboarding: { prologue: "Moin", suggested_questions: ["When?", "Where?"] },
  });
});

test("a mouse zooms by its wheel; what is dragged stops in line with its neighbours", async ({
  signedIn: page,
  server,
}) => {
  const id = await imported(server, "In line", branching());
  await opened(page, server, id);
  const zoom = page.getByRole("button", { name: /show at 100 %/ });
  await zoom.click();
  await expect(zoom).toHaveText("100%");
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitemradio", { name: /^Mouse/ }).click();
  const ground = await page.locator(".react-flow__pane").boundingBox();
  if (!ground) throw new Error("No ground");
  await page.mouse.move(ground.x + 40, ground.y + ground.height - 120);
  await page.mouse.wheel(0, 240);
  await expect(zoom).not.toHaveText("100%");
  await page.reload();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Show everything" }).click();

  const node = page.locator(".react-flow__node").filter({ hasText: "Urgent?" });
  const guides = page.locator(".react-flow__viewport-portal line");
  const box = await node.boundingBox();
  if (!box) throw new Error("No node");
  const grip = { x: box.x + box.width / 2, y: box.y + 16 };
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x + 3, grip.y + 60, { steps: 4 });
  await page.mouse.move(grip.x, grip.y, { steps: 4 });
  await expect(guides).not.toHaveCount(0);
  await page.keyboard.down("Alt");
  await page.mouse.move(grip.x + 1, grip.y + 1);
  await expect(guides).toHaveCount(0);
  await page.keyboard.up("Alt");
  await page.mouse.up();
});

test("the palette offers what the workspace has, and what was added last", async ({
  signedIn: page,
  server,
}) => {
  const tide = await imported(server, "Tide table", branching());
  const id = await imported(server, "Palette", branching());
  await opened(page, server, id);
  await page.getByRole("application").first().focus();
  await page.keyboard.press("n");
  const palette = page.getByRole("complementary", { name: "Nodes to add" });
  const search = palette.getByRole("combobox", { name: "Search nodes" });
  await search.fill("tide t");
  const own = palette.getByRole("group", { name: "Of this workspace" });
  await expect(own.getByRole("option", { name: "Tide table" })).toBeVisible();
  await expectAccessible(page);
  await search.press("Enter");
  await page.locator(".react-flow__node").filter({ hasText: "Tide table" }).click();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Tide table");
  await expect(page.getByRole("button", { name: "Choose a value for subject" })).toBeVisible();
  await expect.poll(() => exported(server, id)).toMatch(new RegExp(`"workflowId": ?"${tide}"`));
  await page.getByRole("application").first().focus();
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  const last = palette.getByRole("group", { name: "Recently used" });
  await expect(last.getByRole("option", { name: "Workflow" })).toBeVisible();
});
