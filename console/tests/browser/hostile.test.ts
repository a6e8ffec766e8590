import type { Page } from "@playwright/test";
import { expect, signIn, test } from "./fixture";
import { HOSTILE } from "./hostile";
import { startUpstream } from "./upstream";

/** Names are short; what is longer goes into the description whole. */
const NAME_LENGTH = 50;

/** What of a text a name may hold; control characters the server refuses. */
function nameOf(text: string): string {
  const letters = [...text].slice(0, NAME_LENGTH);
  return letters.join("").trim();
}

test("hostile texts stay texts on every list", async ({ signedIn: page, server }) => {
  // A workspace of their own: lists of other tests stay short.
  const { id } = await server.call<{ id: string }>("POST", "/admin/v1/workspaces", {
    name: "Hostile",
  });
  const workspace = `/admin/v1/workspaces/${id}`;
  expect(HOSTILE.length).toBeGreaterThanOrEqual(120);
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (const raw of HOSTILE.filter((_, index) => index % 4 === lane)) {
        const text = raw.replace(/\p{Cc}/gu, " ");
        const name = nameOf(text);
        await server.call("POST", `${workspace}/agents`, { name, description: text });
        await server.call("POST", `${workspace}/prompts`, {
          name,
          description: text,
          prompt_text: text,
        });
      }
    }),
  );
  for (const list of ["agents", "prompts"]) {
    await page.goto(`/console/w/${id}/${list}`);
    const box = page.getByRole("grid");
    await expect(box.getByRole("row").nth(5)).toBeVisible();
    for (;;) {
      const isAtEnd = await box.evaluate((element) => {
        element.scrollBy(0, element.clientHeight);
        return element.scrollTop + element.clientHeight >= element.scrollHeight - 1;
      });
      // Rows lead to screens of the console and nowhere else.
      const planted = box.locator(
        "script, iframe, object, embed, [onerror], [onload], a[href]:not([href^='/console/'])",
      );
      await expect(planted).toHaveCount(0);
      if (isAtEnd) break;
    }
  }
  await expect(page.locator("[role=grid] [role=row]").first()).toBeVisible();
});

/** What markup would have become, had any text of others been taken for it. */
async function expectOnlyText(page: Page): Promise<void> {
  const planted = page.locator(
    "main script, main iframe, main object, main embed, main base, main form[action], [onerror], " +
      "[onload], [onclick], img[src*=planted], a[href^='javascript' i], a[href^='data' i], " +
      "a[href^='vbscript' i]",
  );
  await expect(planted).toHaveCount(0);
}

test("hostile texts stay texts in answers, slices, rows, canvases and runs", async ({
  context,
  page,
  server: found,
}) => {
  test.slow();
  const upstream = await startUpstream();
  const { id } = await found.call<{ id: string }>("POST", "/admin/v1/workspaces", {
    name: "<img src=x onerror=alert(1)>",
  });
  const server = { ...found, workspaceId: id };
  const place = `/admin/v1/workspaces/${id}`;
  const make = async (path: string, body: unknown) =>
    (await server.call<{ id: string }>("POST", `${place}/${path}`, body)).id;
  const texts = HOSTILE.map((each) => each.replace(/\p{Cc}/gu, " "));
  const whole = texts.join("\n\n");
  const model = await upstream.model(found, "echo");
  const agent = await make("agents", {
    name: "<svg onload=alert(1)>",
    prompt: { text: whole.slice(0, 8000) },
    model: { model_id: model },
    onboarding: { prologue: whole.slice(0, 280), suggested_questions: texts.slice(0, 3) },
  });
  const base = await make("datasets", { name: "<iframe src=x>", description: whole.slice(0, 400) });
  await server.call("POST", `/admin/v1/datasets/${base}/documents`, {
    document_bases: [{ name: "<script>x.md", source_info: { custom_content: whole } }],
  });
  const documents = `/admin/v1/datasets/${base}/documents`;
  const table = await make("databases", {
    table_name: "hostile",
    table_desc: "<b onclick=alert(1)>",
    fields: [{ name: "text" }],
  });
  await server.call("POST", `/admin/v1/databases/${table}/records:insert`, {
    records: texts.map((text) => ({ text })),
  });
  const workflow = await make("workflows", {
    name: "<math><mtext>",
    description: "<img src=x onerror=alert(1)>",
    mode: 0,
  });
  const ask = (content: string) =>
    server.call<{ run_id: string }>("POST", `/admin/v1/agents/${agent}/chats`, {
      version: "draft",
      content,
    });
  const { run_id } = await ask(whole);
  const trace = `/admin/v1/traces/${run_id}`;
  await expect.poll(() => server.call("GET", trace).then(Boolean, () => false)).toBe(true);
  const { items } = await server.call<{ items: { id: string }[] }>("GET", documents);
  await signIn(context, found);
  for (const path of [
    "",
    `agents/${agent}`,
    `knowledge/${base}`,
    `knowledge/${base}/documents/${items[0]?.id}`,
    `databases/${table}`,
    "workflows",
    `workflows/${workflow}`,
    "runs",
    `runs/${run_id}`,
    "settings/general",
  ]) {
    await page.goto(`/console/w/${id}/${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await expectOnlyText(page);
  }
  await page.goto(`/console/w/${id}/agents/${agent}`);
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill(whole);
  await composer.press("Enter");
  const answer = page.getByRole("article", { name: "Answer" });
  await expect(answer).toContainText("DROP TABLE agents");
  await expectOnlyText(page);
  await upstream.stop();
});
