import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, expectAccessible, test } from "./fixture";
import { flag } from "./flag";
import type { Server } from "./server";

const FIXTURES = join(import.meta.dirname, "../../../tests/fixtures/documents");

const TEXT = "# Returns\n\nCustomers return goods within thirty days.\n\n# Warranty\n\nTwo years.";

/** A base with documents; returns the ids of both. */
async function filled(
  server: Server,
  base: { name: string; format_type?: number },
  documents: readonly { name: string; source_info: object }[],
  strategy: object = {},
) {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/datasets`,
    base,
  );
  if (documents.length === 0) return { id, ids: [] };
  const made = await server.call<{ items: { id: string }[] }>(
    "POST",
    `/admin/v1/datasets/${id}/documents`,
    { document_bases: documents, ...strategy },
  );
  return { id, ids: made.items.map((item) => item.id) };
}

function file(name: string, content: Buffer) {
  const file_type = name.split(".").at(-1);
  return { name, source_info: { file_base64: content.toString("base64"), file_type } };
}

test("a base is made, filled, looked into, searched and deleted", async ({ console: page }) => {
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await page.getByRole("button", { name: "New base" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Handbook");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create base" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Handbook");
  await page.getByRole("button", { name: "Import" }).first().click();

  const files = [
    { name: "good.md", mimeType: "text/markdown", buffer: Buffer.from(TEXT) },
    { name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 nothing") },
  ];
  await page.locator('input[type="file"]').first().setInputFiles(files);
  await page.getByText("By headings", { exact: true }).click();
  await page.getByRole("button", { name: "Preview good.md" }).click();
  const slices = page.getByRole("region", { name: "Preview" }).getByRole("article");
  await expect(slices).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Import 2 sources" }).click();

  const good = page.getByRole("row", { name: /good\.md/ });
  await expect(good).toContainText("Ready");
  await expect(page.getByRole("row", { name: /broken\.pdf/ })).toContainText("Failed");
  await expectAccessible(page);
  await good.getByRole("link", { name: "good.md" }).click();
  const shown = page.getByRole("article");
  await expect(shown).toHaveCount(2);
  await shown.first().getByRole("button", { name: "Edit" }).click();
  await shown.first().getByRole("textbox").fill("Customers return goods within fifty days.");
  await shown.first().getByRole("button", { name: "Save" }).click();
  await expect(shown.first()).toContainText("fifty days");
  await expectAccessible(page);

  await page.getByRole("link", { name: "Handbook" }).click();
  await page.getByRole("tab", { name: "Test" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("When may customers return goods?");
  await page.getByRole("textbox", { name: "Least score" }).fill("1");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByText("Below the least score").first()).toBeVisible();
  await page.getByRole("textbox", { name: "Least score" }).fill("0");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByText("Below the least score")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "good.md" }).first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("tab", { name: "Quality" }).click();
  await page.getByRole("button", { name: /^Latin script/ }).click();
  const behind = page.getByRole("region", { name: "Slices behind the figure" });
  await expect(behind.getByRole("article")).toHaveCount(2);
  await expectAccessible(page);

  await page.getByRole("tab", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Delete base" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("Handbook");
  await page.getByRole("dialog").getByRole("button", { name: "Delete base" }).click();
  await expect(page.getByRole("row", { name: /Handbook/ })).toHaveCount(0);
});

test("documents are chosen and changed together", async ({ signedIn: page, server }) => {
  const base = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/datasets`,
    { name: "Many" },
  );
  await server.call("POST", `/admin/v1/datasets/${base.id}/documents`, {
    document_bases: ["one", "two", "three"].map((name) => ({
      name,
      source_info: { custom_content: `This is ${name}.` },
    })),
  });
  await page.goto(`/console/w/${server.workspaceId}/knowledge/${base.id}`);
  await expect(page.getByText("Ready")).toHaveCount(3);
  await page.getByRole("checkbox", { name: "Select one" }).click();
  await page.getByRole("checkbox", { name: "Select two" }).click();
  await page.getByRole("button", { name: "Switch off" }).click();
  await expect(page.getByText("Switched off")).toHaveCount(2);
  await page.getByRole("checkbox", { name: "Select all" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "Nothing to answer from yet" })).toBeVisible();
});

test("a slice is outlined on the page that it was cut from", async ({ console: page, server }) => {
  const base = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/datasets`,
    { name: "Papers" },
  );
  const paper = await readFile(join(FIXTURES, "paper-page.pdf"));
  const made = await server.call<{ items: { id: string }[] }>(
    "POST",
    `/admin/v1/datasets/${base.id}/documents`,
    {
      document_bases: [
        {
          name: "paper.pdf",
          source_info: { file_base64: paper.toString("base64"), file_type: "pdf" },
        },
      ],
    },
  );
  const place = `/console/w/${server.workspaceId}/knowledge/${base.id}/documents`;
  await page.goto(`${place}/${made.items[0]?.id}`);
  const slices = page.getByRole("article");
  await expect(slices.first()).toBeVisible();
  const sheet = page.getByRole("img", { name: "Page 1" });
  await expect(sheet).toBeVisible();
  await expect
    .poll(() => sheet.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
    .toBeGreaterThan(300);
  await slices
    .nth(1)
    .getByRole("button", { name: /^Slice 2$/ })
    .click();
  const outline = page.locator("[data-outline]").first();
  await expect(outline).toBeVisible();
  await expect(page).toHaveURL(/slice=/);
  await expectAccessible(page);
  const told = await server.call<{ items: { boxes: number[][] }[] }>(
    "GET",
    `/admin/v1/documents/${made.items[0]?.id}/slices`,
  );
  const [, left = 0, , right = 0] = told.items[1]?.boxes[0] ?? [];
  const frame = await sheet.boundingBox();
  const box = await outline.boundingBox();
  expect(box?.width ?? 0).toBeCloseTo((right - left) * (frame?.width ?? 0), 0);
  expect((box?.x ?? 0) - (frame?.x ?? 0)).toBeCloseTo(left * (frame?.width ?? 0), 0);
  await page.reload();
  await expect(page.locator("[data-outline]").first()).toBeVisible();

  const { items: words } = await server.call<{ items: { text: string; box: number[] }[] }>(
    "GET",
    `/admin/v1/documents/${made.items[0]?.id}/pages/1/text`,
  );
  const sought = words.find((word) => /^[a-z]{8,}$/.test(word.text))?.text ?? "";
  const [at = 0, top = 0] = words.find((word) => word.text.startsWith(sought))?.box ?? [];
  const field = page.getByRole("searchbox", { name: "Find in the document" });
  await field.fill(sought.toUpperCase());
  const hit = page.locator('[data-hit="current"]').first();
  await expect(hit).toBeVisible();
  await expect(page.getByText(/^1 of \d+$/)).toBeVisible();
  const marked = await hit.boundingBox();
  const around = await sheet.boundingBox();
  expect((marked?.x ?? 0) - (around?.x ?? 0)).toBeCloseTo(at * (around?.width ?? 0), 0);
  expect((marked?.y ?? 0) - (around?.y ?? 0)).toBeCloseTo(top * (around?.height ?? 0), 0);
  await expectAccessible(page);
  await field.press("Shift+Enter");
  await expect(page.getByText(/^(\d+) of \1$/)).toBeVisible();
});

test("a boundary is moved beside the page it lies on, and indexed as it was seen", async ({
  console: page,
  server,
}) => {
  const base = await filled(server, { name: "Papers to be" }, []);
  await page.goto(`/console/w/${server.workspaceId}/knowledge/${base.id}/import`);
  const paper = join(FIXTURES, "paper-page.pdf");
  await page.locator('input[type="file"]').first().setInputFiles(paper);
  const preview = page.getByRole("region", { name: "Preview" });
  const slices = preview.getByRole("article");
  const sheet = preview.getByRole("img", { name: "Page 1" });
  await expect(sheet).toBeVisible();
  await expect(preview.locator("[data-bound]").first()).toBeVisible();

  await slices.nth(1).getByRole("button", { name: "Slice 2" }).click();
  await expect(preview.locator("[data-outline]").first()).toBeVisible();
  const said = async (at: number) =>
    (await slices.nth(at).getByRole("paragraph").textContent()) ?? "";
  const [before, behind] = [await said(0), await said(1)];
  const boundary = preview.getByRole("group", { name: "Boundary of slices 1 and 2" });
  await boundary.getByRole("button", { name: "Boundary one sentence up" }).click();
  await expect.poll(() => said(1)).not.toBe(behind);
  await expect(preview.getByText("Edited: imported exactly as shown")).toBeVisible();
  await expectAccessible(page);
  const [above, below] = [await said(0), await said(1)];
  expect(before.startsWith(above)).toBe(true);
  expect(below.endsWith(behind)).toBe(true);

  await page.getByRole("button", { name: "Import 1 source" }).click();
  await expect(page.getByText("Ready", { exact: true })).toBeVisible();
  const { items } = await server.call<{ items: { id: string }[] }>(
    "GET",
    `/admin/v1/datasets/${base.id}/documents`,
  );
  const cut = await server.call<{ items: { content: string }[] }>(
    "GET",
    `/admin/v1/documents/${items[0]?.id}/slices`,
  );
  expect(cut.items.slice(0, 2).map(({ content }) => content)).toEqual([above, below]);
});

test("a document says what is known of it and is changed on its own page", async ({
  signedIn: page,
  server,
}) => {
  const base = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/datasets`,
    { name: "Rules" },
  );
  const made = await server.call<{ items: { id: string }[] }>(
    "POST",
    `/admin/v1/datasets/${base.id}/documents`,
    {
      document_bases: [
        {
          name: "rules.md",
          source_info: { file_base64: Buffer.from(TEXT).toString("base64"), file_type: "md" },
        },
      ],
    },
  );
  const place = `/console/w/${server.workspaceId}/knowledge/${base.id}`;
  await page.goto(`${place}/documents/${made.items[0]?.id}`);
  await expect(page.getByText("Ready")).toBeVisible();
  const field = page.getByRole("searchbox", { name: "Find in the document" });
  await field.fill("years");
  await expect(page.locator("mark")).toHaveText("years");
  await expect(page.getByText("1 of 1")).toBeVisible();
  await field.fill("months");
  await expect(page.getByText("Not found")).toBeVisible();
  await page.getByRole("button", { name: "Details" }).click();
  const details = page.getByRole("dialog", { name: "Details" });
  await expect(details).toContainText("MD");
  await expect(details).toContainText("Automatic");
  await expectAccessible(page);
  await details.getByRole("button", { name: "Close" }).click();

  const menu = page.getByRole("button", { name: /^More actions for (rules\.md|House rules)$/ });
  await menu.click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("House rules");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("House rules");
  await menu.click();
  await page.getByRole("menuitem", { name: "Switch off" }).click();
  await expect(page.getByText("Switched off")).toBeVisible();
  await menu.click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete document" }).click();
  await expect(page).toHaveURL(new RegExp(`${place}$`));
  await expect(page.getByRole("heading", { name: "Nothing to answer from yet" })).toBeVisible();
});

test("a file becomes a table with the columns that were looked at, or none of it", async ({
  console: page,
  server,
}) => {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/datasets`,
    { name: "Fares", format_type: 1 },
  );
  const imports = `/console/w/${server.workspaceId}/knowledge/${id}/import`;
  const choose = (name: string, words: string) =>
    page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(words) });
  const rows = page.getByRole("region", { name: "Preview" });
  const start = page.getByRole("button", { name: "Import 1 source" });
  await page.goto(imports);
  await choose("fares.csv", "Our fares\nline,price,note\nNorderney,14.50,\nBaltrum,ask,x");
  await page.getByRole("textbox", { name: "Line of column names" }).fill("2");
  await expect(rows.getByRole("cell", { name: "Norderney" })).toBeVisible();
  await page.getByRole("combobox", { name: "Type of price" }).click();
  await page.getByRole("option", { name: "Number" }).click();
  const columns = page.getByRole("region", { name: "Columns" });
  await expect(columns.getByText("Line 4, ask: not a number")).toBeVisible();
  await rows.getByRole("checkbox", { name: "Only rows that do not fit" }).click();
  await expect(rows.getByRole("cell", { name: "Norderney" })).toHaveCount(0);
  await expect(start).toBeDisabled();
  await expectAccessible(page);

  // The file put right takes the place of the one that does not fit, and what was set stays.
  await choose("fares.csv", "Our fares\nline,price,note\nNorderney,14.50,\nBaltrum,9,x");
  await page.getByRole("textbox", { name: "Description of price" }).fill("In euros");
  await page.getByRole("checkbox", { name: "note" }).click();
  await expect(rows.getByText("All cells fit")).toBeVisible();
  await start.click();
  await expect(page.getByRole("row", { name: /fares\.csv/ })).toContainText("Ready");
  const { items } = await server.call<{ items: { table_meta: object[]; slice_count: number }[] }>(
    "GET",
    `/admin/v1/datasets/${id}/documents`,
  );
  expect(items).toHaveLength(1);
  expect(items[0]?.table_meta).toMatchObject([
    { column_name: "line", column_type: 1, is_semantic: true, desc: "" },
    { column_name: "price", column_type: 4, is_semantic: false, desc: "In euros" },
  ]);

  await page.goto(imports);
  await choose("other.csv", "line,cost\nJuist,20");
  await expect(columns.getByText("The file lacks: price.")).toBeVisible();
  await expect(columns.getByText("The table lacks: cost.")).toBeVisible();
  await expect(start).toBeDisabled();
  await choose("more.csv", "price,line\n20,Juist");
  await start.click();
  await expect(page.getByRole("row", { name: /fares\.csv/ })).toContainText("Ready");
  await expect
    .poll(async () => {
      const path = `/admin/v1/datasets/${id}/documents`;
      return (await server.call<{ items: object[] }>("GET", path)).items;
    })
    .toMatchObject([{ slice_count: 3 }]);
});

test("a sheet is chosen, and lines or files that hold no table say why", async ({
  console: page,
  server,
}) => {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/datasets`,
    { name: "Sheets", format_type: 1 },
  );
  const choose = (name: string) =>
    page.locator('input[type="file"]').first().setInputFiles(join(FIXTURES, name));
  const rows = page.getByRole("region", { name: "Preview" });
  const start = page.getByRole("button", { name: "Import 1 source" });
  const header = page.getByRole("textbox", { name: "Line of column names" });
  await page.goto(`/console/w/${server.workspaceId}/knowledge/${id}/import`);
  await choose("two-sheets.xlsx");
  await expect(rows.getByRole("columnheader", { name: "Alpha" })).toBeVisible();
  await page.getByRole("combobox", { name: "Sheet" }).click();
  await page.getByRole("option").nth(1).click();
  await expect(rows.getByRole("columnheader", { name: "ColA" })).toBeVisible();
  await header.fill("9999");
  await expect(rows.getByRole("alert")).toContainText("holds no names of columns");
  await expect(page.getByRole("combobox", { name: "Sheet" })).toBeVisible();
  await expect(start).toBeDisabled();
  await header.fill("1");
  await expect(start).toBeEnabled();

  await choose("encrypted.xlsx");
  await expect(rows.getByRole("alert")).toContainText(/password/i);
  await expect(start).toBeDisabled();
  await expectAccessible(page);
  await choose("two-sheets.xlsx");
  await expect(start).toBeEnabled();
});

async function baseOf(server: Server, name: string, documents: readonly string[]) {
  const made = documents.map((content, index) => ({
    name: `${name} ${index + 1}`,
    source_info: { custom_content: content, file_type: "md" },
  }));
  return (await filled(server, { name }, made)).id;
}

test("searches are looked at again, beside each other, with what moved between them", async ({
  signedIn: page,
  server,
}) => {
  const id = await baseOf(server, "Harbour", [
    "The harbour office opens at eight.",
    "The harbour dog sleeps in the office.",
    "Ferries leave the harbour at noon.",
  ]);
  await page.goto(`/console/w/${server.workspaceId}/knowledge/${id}`);
  await expect(page.getByText("Ready")).toHaveCount(3);
  await page.getByRole("tab", { name: "Test" }).click();
  const search = page.getByRole("button", { name: "Search", exact: true });
  await page.getByText("Said before", { exact: true }).click();
  await page.getByRole("button", { name: "Add a message" }).click();
  await page.getByRole("textbox", { name: "User" }).fill("I have a dog.");
  await page.getByRole("textbox", { name: "Question" }).fill("harbour office dog");
  await page.getByRole("textbox", { name: "Least score" }).fill("0");
  await search.click();
  await expect(page.getByText(/^≈ \d+ tokens$/)).toBeVisible();
  await page.getByRole("textbox", { name: "Slices at most" }).fill("1");
  await search.click();
  await expect(page.getByText("Since the search before: 2 gone")).toBeVisible();
  await page.getByRole("button", { name: "Show both" }).click();
  await expect(page.getByText("From A to B: 2 gone")).toBeVisible();
  await expect(page.locator('path[d^="M0 "]')).toHaveCount(1);
  await expectAccessible(page);

  // What was tried and how stays while the page is not loaded anew, and settings also then.
  await page.getByRole("tab", { name: "Documents" }).click();
  await page.getByRole("tab", { name: "Test" }).click();
  await expect(page.getByText("1 slice shown")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Slices at most" })).toHaveValue("1");
  await page.getByRole("textbox", { name: "Question" }).fill("harbour office dog");
  await page.getByRole("switch", { name: "Compare with other settings" }).click();
  await search.click();
  await expect(page.getByText("From A to B: nothing moved")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Search", exact: true })).toContainText("1 · ");
  await expect(page.getByRole("combobox", { name: "Beside it" })).toContainText("2 · ");
  await expect(page.locator('path[d^="M0 "]')).toHaveCount(1);
});

test("documents come from another base, one with settings of its own, one cut by hand", async ({
  signedIn: page,
  server,
}) => {
  await baseOf(server, "Old", [TEXT, TEXT.replace("thirty", "forty"), "One. Two."]);
  const id = await baseOf(server, "New", []);
  await page.goto(`/console/w/${server.workspaceId}/knowledge/${id}/import`);
  await page.getByText("Base", { exact: true }).click();
  await page.getByRole("combobox", { name: "From which base" }).fill("Old");
  await page.getByRole("option", { name: "Old" }).click();
  await page.getByRole("button", { name: "Add all" }).click();
  const slices = page.getByRole("region", { name: "Preview" }).getByRole("article");
  await page.getByRole("button", { name: "Preview Old 2" }).click();
  await page.getByRole("checkbox", { name: "Other settings for Old 2" }).click();
  await page.getByText("By headings", { exact: true }).click();
  await expect(slices).toHaveCount(2);
  await expect(page.getByText("settings of its own")).toBeVisible();
  await page.getByRole("button", { name: "Preview Old 3" }).click();
  await expect(slices).toHaveCount(1);
  await slices.first().getByRole("button", { name: "Edit" }).click();
  const field = slices.first().getByRole("textbox");
  await field.evaluate((box) => {
    if (box instanceof HTMLTextAreaElement) box.setSelectionRange(4, 4);
  });
  await slices.first().getByRole("button", { name: "Split at the cursor" }).click();
  await expect(slices).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Import 3 sources" }).click();
  await expect(page.getByText("Ready")).toHaveCount(3);
  const { items } = await server.call<{ items: { name: string; slice_count: number }[] }>(
    "GET",
    `/admin/v1/datasets/${id}/documents`,
  );
  const counts = Object.fromEntries(items.map((each) => [each.name, each.slice_count]));
  expect(counts).toMatchObject({ "Old 2": 2, "Old 3": 2 });

  await page.goto(`/console/w/${server.workspaceId}/knowledge`);
  await page.getByRole("button", { name: "State" }).click();
  await page.getByRole("menuitemradio", { name: "Empty" }).click();
  await expect(page.getByRole("row", { name: /New/ })).toHaveCount(0);
  await expect(page).toHaveURL(/state=empty/);
  await page.getByRole("button", { name: "Clear: State" }).click();
  await expect(page.getByRole("row", { name: /New/ })).toBeVisible();
});

test("pictures are looked at, captioned and found by their captions", async ({
  signedIn: page,
  server,
}) => {
  const base = await filled(
    server,
    { name: "Signals", format_type: 2 },
    [file("kilo.png", flag("K")), file("oscar.png", flag("O"))],
    { chunk_strategy: { chunk_type: 0, caption_type: 1 } },
  );
  const place = `/console/w/${server.workspaceId}/knowledge/${base.id}`;
  await page.goto(place);
  const cards = page.getByRole("list", { name: "Pictures" }).getByRole("listitem");
  await expect(cards).toHaveCount(2);
  await expect(cards.getByText("Ready")).toHaveCount(2);
  await expect(cards.getByText("No caption yet")).toHaveCount(2);
  const kilo = cards.filter({ hasText: "kilo.png" });
  await expect
    .poll(() =>
      kilo
        .getByRole("img")
        .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth),
    )
    .toBe(240);
  await expectAccessible(page);
  await kilo.getByRole("button", { name: "More actions for kilo.png" }).click();
  await page.getByRole("menuitem", { name: "Edit caption" }).click();
  const dialog = page.getByRole("dialog", { name: "kilo.png" });
  await dialog.getByRole("textbox", { name: "Caption" }).fill("A flag of yellow and blue.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save caption" }).click();
  await expect(dialog).toBeHidden();
  await expect(kilo).toContainText("A flag of yellow and blue.");

  await page.getByRole("button", { name: "Caption", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "Without caption" }).click();
  await expect(cards).toHaveCount(1);
  await cards.getByRole("link", { name: "oscar.png" }).click();
  const words = page.getByRole("textbox", { name: "Caption" });
  await expect(page.getByRole("region", { name: "Text in the picture" })).toBeVisible();
  await words.fill("Man overboard: red and yellow.");
  await page.getByRole("button", { name: "Save caption" }).click();
  await expect(page.getByText("Saved the caption").last()).toBeVisible();
  await page.getByRole("button", { name: "Propose" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectAccessible(page);

  const found = async () => {
    const answer = await server.call<{ items: { content: string }[] }>(
      "POST",
      "/admin/v1/datasets:search",
      { query: "man overboard", dataset_ids: [base.id], min_score: 0 },
    );
    return answer.items[0]?.content;
  };
  await expect.poll(found, { intervals: [500, 3000] }).toContain("Man overboard");
  await page.goto(`${place}?view=table`);
  await expect(page.getByRole("row", { name: /oscar\.png/ })).toContainText("Ready");
});

test("slices are switched off, moved and found again", async ({ signedIn: page, server }) => {
  const text = "# One\n\nKestrels hover.\n\n# Two\n\nOtters swim.\n\n# Three\n\n- Lynxes\n- climb.";
  const base = await filled(server, { name: "Animals" }, [file("zoo.md", Buffer.from(text))], {
    chunk_strategy: { chunk_type: 2, max_level: 3 },
  });
  await page.goto(`/console/w/${server.workspaceId}/knowledge/${base.id}/documents/${base.ids[0]}`);
  const slices = page.getByRole("article");
  await expect(slices).toHaveCount(3);
  await expect(slices.nth(2).getByRole("listitem")).toHaveText(["Lynxes", "climb."]);
  const found = async () => {
    const answer = await server.call<{ items: { content: string }[] }>(
      "POST",
      "/admin/v1/datasets:search",
      { query: "Otters swim", dataset_ids: [base.id], min_score: 0 },
    );
    return answer.items.some((item) => item.content.includes("Otters"));
  };
  await expect.poll(found, { intervals: [500, 3000] }).toBe(true);
  const choose = async (number: number, action: string) => {
    await page.getByRole("button", { name: `More actions for Slice ${number}` }).click();
    await page.getByRole("menuitem", { name: action }).click();
  };
  await choose(2, "Switch off");
  await expect(slices.nth(1)).toContainText("Switched off");
  expect(await found()).toBe(false);
  await expectAccessible(page);
  await choose(2, "Move up");
  await expect(slices.first()).toContainText("Otters");
  await choose(1, "Switch on");
  await expect(slices.first()).not.toContainText("Switched off");
  expect(await found()).toBe(true);

  // What was read leads to the slice that it became, and the slice back to it.
  await page.getByRole("button", { name: "Read for slice 2" }).click();
  await expect(page.locator('[aria-current="true"]')).toContainText("Kestrels");
  await expect(page.locator("[data-is-chosen]")).toHaveText(["2One", /Kestrels hover/]);

  await page.getByRole("button", { name: /^More actions for zoo/ }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download the original" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe("zoo.md");
  expect(await readFile(await saved.path(), "utf8")).toBe(text);
});

test("pages are gone through by their thumbnails, and what no slice says is hatched", async ({
  signedIn: page,
  server,
}) => {
  const pdf = await readFile(join(FIXTURES, "zh-duplicate-chars.pdf"));
  const base = await filled(server, { name: "Two pages" }, [file("two.pdf", pdf)]);
  await page.goto(`/console/w/${server.workspaceId}/knowledge/${base.id}/documents/${base.ids[0]}`);
  const strip = page.getByRole("navigation", { name: "Pages" });
  await expect(strip.getByRole("button")).toHaveCount(2);
  await expect(strip.locator('[aria-current="page"]')).toHaveText("1");
  await strip.getByRole("button", { name: "Page 2" }).click();
  await expect(page.getByRole("img", { name: "Page 2" })).toBeInViewport();
  await expectAccessible(page);

  const hatched = page.locator("[data-uncovered]");
  await page.getByRole("button", { name: "Show what is not indexed" }).click();
  await expect(page.getByText(/(not|is) indexed/).first()).toBeVisible();
  const before = await hatched.count();
  await page.getByRole("button", { name: "More actions for Slice 1" }).click();
  await page.getByRole("menuitem", { name: "Switch off" }).click();
  await strip.getByRole("button", { name: "Page 1" }).click();
  await expect.poll(() => hatched.count()).toBeGreaterThan(before);
  await expectAccessible(page);
});

test("a table is looked through and changed row by row", async ({ signedIn: page, server }) => {
  const rows = "line,price\nNorderney,14.5\nJuist,17.2\nBorkum,21.8";
  const base = await filled(server, { name: "Crossings", format_type: 1 }, [
    file("crossings.csv", Buffer.from(rows)),
  ]);
  await page.goto(`/console/w/${server.workspaceId}/knowledge/${base.id}/documents/${base.ids[0]}`);
  const grid = page.getByRole("grid", { name: "Rows" });
  await expect(grid.getByRole("row")).toHaveCount(4);
  await expect(page.getByText("3 rows")).toBeVisible();
  const juist = grid.getByRole("row", { name: /Juist/ });
  await expect(juist.getByRole("gridcell").first()).toHaveText("3");
  await expectAccessible(page);
  await juist.getByRole("button", { name: "More actions for Row 3" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Row 3" });
  await dialog.getByRole("textbox", { name: "price" }).fill("dear");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("price");
  await dialog.getByRole("textbox", { name: "price" }).fill("18");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(juist).toContainText("18");
  await page.getByRole("button", { name: "Add row" }).click();
  await page.getByRole("dialog").getByRole("textbox", { name: "line" }).fill("Spiekeroog");
  await page.getByRole("dialog").getByRole("button", { name: "Add row" }).click();
  await expect(grid.getByRole("row", { name: /Spiekeroog/ })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search rows" }).fill("Borkum");
  await expect(grid.getByRole("row")).toHaveCount(2);
});
