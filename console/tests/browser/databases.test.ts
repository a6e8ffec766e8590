import { expect, expectAccessible, prefer, signIn, test } from "./fixture";

test("a table is made, filled by pasting, edited, filtered and changed", async ({
  console: page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await page.getByRole("button", { name: "New table" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name" }).first().fill("orders");
  await dialog.getByRole("textbox", { name: "Name" }).nth(1).fill("title");
  await dialog.getByRole("button", { name: "Add field" }).click();
  await dialog.getByRole("textbox", { name: "Name" }).nth(2).fill("price");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create table" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("orders");
  await expectAccessible(page);

  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Paste rows" }).click();
  const lines = Array.from({ length: 1000 }, (_, index) => {
    const price = [3, 500, 999].includes(index) ? `about ${index}` : String(index / 2);
    return `Chair ${index}\t${price}`;
  });
  await dialog.getByRole("textbox").fill(["title\tprice", ...lines].join("\n"));
  await dialog.getByRole("button", { name: "Add 1,000 rows" }).click();
  await expect(page.getByText("1,000 rows", { exact: true })).toBeVisible();
  const grid = page.getByRole("grid", { name: "orders" });
  await expectAccessible(page);

  await page.getByRole("tab", { name: "Structure" }).click();
  await page.getByRole("combobox", { name: "Type of price" }).click();
  await page.getByRole("option", { name: "Number" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  for (const bad of ["about 3", "about 500", "about 999"])
    await expect(page.getByRole("alert")).toContainText(bad);
  await expectAccessible(page);

  await page.getByRole("tab", { name: "Rows" }).click();
  // The type that was refused is on the page yet.
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("combobox", { name: "Field" }).click();
  await page.getByRole("option", { name: "price" }).click();
  await page.getByRole("combobox", { name: "Comparison" }).click();
  await page.getByRole("option", { name: "contains", exact: true }).click();
  await page.getByLabel("Value for price").fill("about");
  await expect(page.getByText("3 rows", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/filter=and\*price\.like\.about/);
  await expectAccessible(page);
  await grid.getByRole("gridcell", { name: "about 999" }).click();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("12");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 rows", { exact: true })).toBeVisible();
  await grid.getByRole("rowheader").first().click();
  await page.getByRole("button", { name: "Filter (1)" }).focus();
  await page.getByLabel("Value for price").fill("about 3");
  await expect(page.getByText("1 row", { exact: true })).toBeVisible();
  await grid.getByRole("gridcell", { name: "about 3", exact: true }).click();
  await page.keyboard.type("1.5");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No row matches" })).toBeVisible();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await expect(page.getByText("1,000 rows", { exact: true })).toBeVisible();
});

test("rows of both sides are removed, imported and exported", async ({ page, context, server }) => {
  await signIn(context, server);
  const table = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/databases`,
    {
      table_name: "stock",
      rw_mode: 3,
      fields: [{ name: "title" }, { name: "amount", type: 2, must_required: true }],
    },
  );
  await server.call("POST", `/admin/v1/databases/${table.id}/records:insert`, {
    env: "online",
    records: [
      { title: "Lamp", amount: 2 },
      { title: "Desk", amount: 1 },
    ],
  });
  await page.goto(`/console/w/${server.workspaceId}/databases/${table.id}`);
  await expect(page.getByRole("heading", { name: "No rows yet" })).toBeVisible();
  await page.getByText("Online", { exact: true }).click();
  const grid = page.getByRole("grid", { name: "stock" });
  await expect(grid.getByRole("gridcell", { name: "Lamp" })).toBeVisible();
  await grid.getByRole("gridcell", { name: "Lamp" }).click();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Delete 1 row" }).click();
  await expect(grid.getByRole("gridcell", { name: "Lamp" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(grid.getByRole("gridcell", { name: "Lamp" })).toBeVisible();

  await page.getByRole("button", { name: "Import" }).click();
  const choose = page.getByRole("dialog").locator('input[type="file"]');
  const bad = "title,amount\nChair,many\nShelf,\n";
  await choose.setInputFiles({ name: "bad.csv", mimeType: "text/csv", buffer: Buffer.from(bad) });
  await expect(page.getByText(/Row 1, amount/)).toBeVisible();
  await expect(page.getByText(/Row 2, amount/)).toBeVisible();
  await expectAccessible(page);
  const good = "title,amount\nChair,4\nShelf,5\n";
  await choose.setInputFiles({ name: "good.csv", mimeType: "text/csv", buffer: Buffer.from(good) });
  await page.getByRole("button", { name: "Add 2 rows" }).click();
  await expect(page.getByText("Added 2 rows")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await expect(grid.getByRole("gridcell", { name: "Shelf" })).toBeVisible();
  await page.getByRole("button", { name: "More", exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Export as CSV" }).click(),
  ]);
  expect(file.suggestedFilename()).toContain(".csv");

  await page.getByRole("tab", { name: "SQL" }).click();
  await page.getByRole("button", { name: "Explain" }).click();
  await expect(page.getByText(/^Reads, and answers at most/)).toBeVisible();
  await page.getByRole("button", { name: "Run" }).click();
  await expect(page.getByRole("cell", { name: "Shelf" })).toBeVisible();
  await expectAccessible(page);
});

test("a table is bound to an agent in its picker, at once, and unbound again", async ({
  signedIn: page,
  server,
}) => {
  const inSpace = `/admin/v1/workspaces/${server.workspaceId}`;
  const agent = await server.call<{ id: string }>("POST", `${inSpace}/agents`, { name: "Clerk" });
  await server.call("POST", `${inSpace}/databases`, {
    table_name: "bookings_of_clerk",
    fields: [{ name: "title" }],
  });
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent.id}`);
  await page.getByText("Tools", { exact: true }).click();
  await page.getByRole("button", { name: "Add tools" }).click();
  const picker = page.getByRole("dialog", { name: "Tools" });
  await picker.getByText("Databases", { exact: true }).click();
  await picker.getByRole("button", { name: /bookings_of_clerk/ }).click();
  await picker.getByRole("button", { name: "Bind", exact: true }).click();
  await expect(picker.getByRole("button", { name: "Unbind", exact: true })).toBeVisible();
  await expectAccessible(page);
  await picker.getByRole("button", { name: "Done" }).click();
  const bound = page.getByRole("group", { name: "bookings_of_clerk" });
  await expect(bound).toBeVisible();

  await page.reload();
  await page.getByText("1 tool", { exact: true }).click();
  await bound.getByRole("button", { name: "Unbind bookings_of_clerk" }).click();
  await expect(bound).toBeHidden();
});

test("variables of an app are declared, and values of its people changed", async ({
  page,
  context,
  server,
}) => {
  await signIn(context, server);
  const app = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/apps`,
    { name: "Counter", variables: [{ key: "language", default_value: "English" }] },
  );
  await server.call("PUT", `/admin/v1/apps/${app.id}/users/guest-7/variables`, {
    items: [{ keyword: "language", value: "Deutsch" }],
  });
  await page.goto(`/console/w/${server.workspaceId}/databases/variables`);
  await page.getByRole("combobox", { name: "Agent or app" }).fill("Count");
  await page.getByRole("option", { name: /Counter/ }).click();
  await page.getByRole("button", { name: /^guest-7/ }).click();
  const values = page.getByRole("region", { name: "Values of guest-7" });
  await values.getByRole("button", { name: "Edit Deutsch" }).click();
  await values.getByRole("textbox", { name: "Value" }).fill("Dansk");
  await values.getByRole("button", { name: "Save" }).click();
  await expect(values.getByText("Dansk")).toBeVisible();
  await values.getByRole("button", { name: "Reset language" }).click();
  await expect(values.getByText("English")).toBeVisible();

  await page.getByRole("button", { name: "Add variable" }).click();
  const added = page.getByRole("group", { name: "var_1" });
  await added.getByRole("checkbox", { name: "One value for all" }).click();
  await page.getByRole("button", { name: "Save variables" }).click();
  await expect(page.getByText("Variables saved")).toBeVisible();
  await expectAccessible(page);
});

test("a table is accessible in Chinese and dark, and on a phone", async ({
  page,
  context,
  server,
}) => {
  await prefer(context, server, "zh", "dark");
  await signIn(context, server);
  const table = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/databases`,
    { table_name: "notes", fields: [{ name: "title" }] },
  );
  await server.call("POST", `/admin/v1/databases/${table.id}/records:insert`, {
    env: "draft",
    records: [{ title: "椅子" }],
  });
  await page.setViewportSize({ width: 390, height: 800 });
  const place = `/console/w/${server.workspaceId}/databases/${table.id}`;
  for (const path of ["", "?tab=structure", "?tab=settings", "?filter=and*title.eq.椅子"]) {
    await page.goto(place + path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("notes");
    await expectAccessible(page);
  }
});

test("of a wide table the columns in sight are there, and keys lead to the others", async ({
  signedIn: page,
  server,
}) => {
  const names = Array.from({ length: 20 }, (_, index) => `field_${index + 1}`);
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/databases`,
    { table_name: "wide", fields: names.map((name) => ({ name })) },
  );
  const record = Object.fromEntries(names.map((name) => [name, `in ${name}`]));
  const insert = { records: [record], env: "draft" };
  await server.call("POST", `/admin/v1/databases/${id}/records:insert`, insert);
  await page.goto(`/console/w/${server.workspaceId}/databases/${id}`);
  const grid = page.getByRole("grid", { name: "wide" });
  const cell = (name: string) => grid.getByRole("gridcell", { name: `in ${name}`, exact: true });
  await expect(cell("field_1")).toBeInViewport({ ratio: 1 });
  await expect(cell("field_20")).toHaveCount(0);
  await expect(grid.getByRole("columnheader")).toHaveCount(names.length + 3);
  await cell("field_2").click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await expect(cell("field_20")).toBeInViewport({ ratio: 1 });
  await expect(cell("field_20")).toHaveAttribute("aria-colindex", "21");
  await expect(cell("field_1")).toHaveCount(0);
  await page.keyboard.press("Home");
  await expect(cell("field_1")).toBeInViewport({ ratio: 1 });
  await expect(grid).toHaveAttribute("aria-activedescendant", /-0-0$/);
});

test("columns are made wider, moved and kept, and cells are chosen as their fields want it", async ({
  signedIn: page,
  server,
}) => {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/databases`,
    {
      table_name: "trips",
      rw_mode: 3,
      fields: [{ name: "place" }, { name: "paid", type: 5 }, { name: "day", type: 3 }],
    },
  );
  await server.call("POST", `/admin/v1/databases/${id}/records:insert`, {
    env: "draft",
    records: [{ place: "Juist", paid: false, day: "2026-06-01" }],
  });
  await page.goto(`/console/w/${server.workspaceId}/databases/${id}`);
  const grid = page.getByRole("grid", { name: "trips" });
  const heads = grid.getByRole("columnheader");
  const cell = (name: string) => grid.getByRole("gridcell", { name, exact: true });
  await cell("No").dblclick();
  await grid.getByRole("combobox", { name: "paid" }).selectOption("Yes");
  await page.keyboard.press("Enter");
  await expect(cell("Yes")).toBeVisible();
  await cell("2026-06-01").click();
  await page.keyboard.press("Enter");
  await grid.getByLabel("day", { exact: true }).fill("2026-07-02");
  await page.keyboard.press("Tab");
  await expect(cell("2026-07-02")).toBeVisible();
  await expectAccessible(page);

  const place = heads.filter({ hasText: "place" });
  const width = async () => (await place.boundingBox())?.width ?? 0;
  const box = await place.boundingBox();
  const edge = { x: (box?.x ?? 0) + (box?.width ?? 0) - 1, y: (box?.y ?? 0) + 8 };
  await page.mouse.move(edge.x, edge.y);
  await page.mouse.down();
  await page.mouse.move(edge.x + 90, edge.y, { steps: 3 });
  await page.mouse.up();
  await expect.poll(width).toBeCloseTo((box?.width ?? 0) + 90, -1);
  const day = await heads.filter({ hasText: "day" }).boundingBox();
  await page.mouse.move((day?.x ?? 0) + 20, edge.y);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 4, edge.y, { steps: 5 });
  await page.mouse.up();
  await expect(heads.nth(1)).toContainText("day");
  await expect(heads.nth(1)).toHaveAttribute("aria-sort", "none");

  await page.reload();
  await expect(heads.nth(1)).toContainText("day");
  await expect.poll(width).toBeCloseTo((box?.width ?? 0) + 90, -1);
  await page.getByRole("button", { name: "More", exact: true }).click();
  const columns = page.getByRole("menuitem", { name: "Columns" });
  await columns.click();
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Move day down" }).click();
  await dialog.getByRole("textbox", { name: "Width of place" }).fill("200");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(heads.nth(2)).toContainText("day");
  await expect.poll(width).toBe(200);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await columns.click();
  await dialog.getByRole("button", { name: "As they were made" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(heads.nth(1)).toContainText("place");
  await expect.poll(width).not.toBe(200);
});
