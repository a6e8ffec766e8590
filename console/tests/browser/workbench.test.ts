import type { Page } from "@playwright/test";
import { bookingFlow } from "./booking";
import { expect, expectAccessible, LOOKS, prefer, signIn, testIn, UNANSWERED } from "./fixture";
import { flag } from "./flag";
import { crash, keptIn } from "./recovery";
import type { Server } from "./server";
import { plannedAgent } from "./upstream";

/** A browser fetches six at a time: of many small ones the last comes late. */
const MOST_FILES = 50;

const DAY_MS = 24 * 60 * 60 * 1000;

/** An agent that takes a note before it answers. */
const test = testIn(async (server, upstream) => {
  const model = await upstream.model(server, "planned");
  const note = { data: [{ keyword: "mood", value: "good" }] };
  const agent = await plannedAgent(
    server,
    "Lighthouse",
    model,
    [
      { say: "Noting.", calls: [{ name: "setKeywordMemory", arguments: note }] },
      { say: "The light turns every ten seconds." },
    ],
    { variables: [{ key: "mood", description: "How the user feels" }] },
  );
  return { agent, model };
});

test("an answer says what it took, opens its steps, and is asked again after changes", async ({
  signedIn: page,
  world: { server, agent },
}) => {
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent}`);
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill("How fast does it turn?");
  await composer.press("Enter");
  const answer = page.getByRole("article", { name: "Answer" });
  await expect(answer).toContainText("every ten seconds");
  await expect(answer).toContainText(/First token .* in all .* steps .* in, /);

  await answer.getByRole("button", { name: "Details" }).click();
  const sheet = page.getByRole("dialog", { name: "How the answer came about" });
  await sheet.getByRole("row", { name: /Tool setKeywordMemory/ }).click();
  await expect(sheet.getByRole("tree", { name: "Input" })).toContainText("data");
  await expect(composer).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();

  await page.getByRole("textbox", { name: /^Persona/ }).press("End");
  await page.keyboard.type(" Be brief.");
  await expect(answer).toContainText("Before your changes");
  await answer.getByRole("button", { name: "Ask again" }).click();
  await expect(answer).not.toContainText("Before your changes");
  await expect(answer).toContainText("every ten seconds");

  await page.getByRole("button", { name: "Edit and send again" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("And at night?");
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("article", { name: "You asked" })).toHaveText("And at night?");
  await expect(answer).toContainText("every ten seconds");
});

test("the workbench names few files ahead, though it is full of controls", async ({
  console: page,
  world: { server, agent },
}) => {
  const path = `/console/w/${server.workspaceId}/agents/${agent}`;
  const sent = await (await page.request.get(path)).text();
  expect(sent.match(/rel="modulepreload"/g)?.length).toBeLessThan(MOST_FILES);
});

test("the workbench asks for its agent once, and again when somebody else changed it", async ({
  console: page,
  world: { server },
}) => {
  const agents = `/admin/v1/workspaces/${server.workspaceId}/agents`;
  const { id } = await server.call<{ id: string }>("POST", agents, { name: "Asked once" });
  // A server that has just begun knows nothing of the time before, and says so.
  const told = `${server.url}/admin/v1/live?for_s=0&past_ms=10000`;
  const headers = { Authorization: `Bearer ${server.token}` };
  await expect
    .poll(async () => (await fetch(told, { headers })).text(), { timeout: 20_000 })
    .not.toContain("reset");
  const path = `/admin/v1/agents/${id}`;
  const asked: string[] = [];
  page.on("request", (each) => {
    if (each.method() === "GET" && new URL(each.url()).pathname === path) asked.push(path);
  });
  const channel = page.waitForResponse((each) => new URL(each.url()).pathname === "/admin/v1/live");
  await page.goto(`/console/w/${server.workspaceId}/agents/${id}`);
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
  await channel;
  await server.call("PATCH", path, { name: "Asked twice" });
  await expect(page.getByRole("heading", { name: "Asked twice", exact: true })).toBeVisible();
  expect(asked).toEqual([path, path]);
});

test("a conversation of the address is asked for beside its agent, not after it", async ({
  console: page,
  world: { server, agent },
}) => {
  const { data } = await server.call<{ data: { id: string } }>("POST", "/v1/conversation/create", {
    bot_id: agent,
  });
  const history = page.waitForRequest(`**/conversations/${data.id}/messages?*`);
  await page.route(`**/admin/v1/agents/${agent}`, async (route) => {
    await history;
    await route.continue();
  });
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent}?chat=${data.id}`);
  await expect(page.getByRole("textbox", { name: "Message" })).toBeVisible();
});

test("a persona is searched, improved change by change, and published to where it answers", async ({
  signedIn: page,
  world: { server, agent },
}) => {
  await server.call("PATCH", `/admin/v1/agents/${agent}`, {
    prompt: { text: "You know the {{port}}.\n\nAnswer at length." },
  });
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent}`);
  const persona = page.getByRole("textbox", { name: /^Persona/ });
  await expect(page.getByText(/about \d+ tokens/)).toBeVisible();
  await page.getByRole("button", { name: "Declare" }).click();
  await expect(page.getByText("Not declared")).toBeHidden();

  await persona.press("Control+f");
  await page.getByRole("textbox", { name: "Find", exact: true }).fill("length");
  await page.getByRole("textbox", { name: "Replace with" }).fill("ease");
  await page.getByRole("button", { name: "All", exact: true }).click();
  await expect(persona).toContainText("Answer at ease.");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Improve" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("Be brief.");
  await dialog.getByRole("button", { name: "Propose" }).click();
  await dialog.getByRole("button", { name: /^Take over/ }).click();
  await expect(persona).toContainText("Is there a ferry?");
  await persona.press("Control+z");
  await expect(persona).toContainText("Answer at ease.");

  await page.getByRole("button", { name: "Publish" }).click();
  await expect(dialog.getByRole("group", { name: "Where it answers" })).toContainText("API");
  await dialog.getByText("Persona", { exact: true }).click();
  await expect(dialog.locator("ins").first()).toContainText("ease");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Publish" }).click();
  await expect(dialog.getByText("/v1/chat/completions")).toBeVisible();
  await expectAccessible(page);
});

test("a base is made of files without leaving the agent, and is bound as it is read", async ({
  signedIn: page,
  server,
}) => {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/agents`,
    { name: "Keeper" },
  );
  await page.goto(`/console/w/${server.workspaceId}/agents/${id}`);
  await page.locator("summary").filter({ hasText: "Knowledge" }).click();
  await page.getByRole("button", { name: "New base from files" }).click();
  const dialog = page.getByRole("dialog", { name: "New knowledge base" });
  const chooser = page.waitForEvent("filechooser");
  await dialog.getByRole("button", { name: "Drop files, or choose them" }).click();
  const buffer = Buffer.from("# Lamp\n\nThe lamp is lit at dusk.");
  await (await chooser).setFiles({ name: "Lamp book.md", mimeType: "text/markdown", buffer });
  await expect(dialog.getByRole("textbox", { name: "Name of the base" })).toHaveValue("Lamp book");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create the base" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("1 file is read: ask about it")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/agents/${id}$`));
  await expectAccessible(page);
  const agent = await server.call<{ knowledge: { dataset_infos: { name: string }[] } }>(
    "GET",
    `/admin/v1/agents/${id}`,
  );
  expect(agent.knowledge.dataset_infos.map(({ name }) => name)).toEqual(["Lamp book"]);
});

test("two tabs that edit the same persona meet, and both texts are there to choose from", async ({
  context,
  console: page,
  server,
}) => {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/agents`,
    { name: "Shared", prompt: { text: "Base." } },
  );
  const address = `/console/w/${server.workspaceId}/agents/${id}`;
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(address);
    await expect(tab.getByRole("textbox", { name: /^Persona/ })).toContainText("Base.");
  }
  // What the other tab saves is on its way while this one saves, or it would just take that in.
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await other.route(`**/admin/v1/agents/${id}`, async (route) => {
    if (route.request().method() === "PATCH") await saved;
    await route.continue();
  });
  const sent = other.waitForRequest((request) => request.method() === "PATCH");
  await write(other, " Theirs.");
  await sent;
  await write(page, " Mine.");
  await expect.poll(() => promptOf(server, id)).toBe("Base. Mine.");
  const dialog = other.getByRole("dialog");
  await expect(dialog.getByRole("radio", { name: /Mine.*Base. Theirs\./s })).toBeChecked();
  await dialog.getByRole("radio", { name: /Theirs.*Base. Mine\./s }).check({ force: true });
  await expectAccessible(other);
  await dialog.getByRole("button", { name: "Save the choice" }).click();
  await expect(other.getByRole("textbox", { name: /^Persona/ })).toHaveText("Base. Mine.");
  expect(await promptOf(server, id)).toBe("Base. Mine.");
  await write(other, " More.");
  await expect(page.getByRole("textbox", { name: /^Persona/ })).toHaveText("Base. Mine. More.");
  await other.close();
});

test.describe("without an answer", () => {
  test.use({ refusals: UNANSWERED });

  test("what a crash kept from being saved is offered again, until it is saved or the session ends", async ({
    context,
    console: page,
    server,
  }) => {
    const { id } = await server.call<{ id: string }>(
      "POST",
      `/admin/v1/workspaces/${server.workspaceId}/agents`,
      { name: "Interrupted", prompt: { text: "Base." } },
    );
    const address = `/console/w/${server.workspaceId}/agents/${id}`;
    const unsaved = async (tab: Page, words: string): Promise<void> => {
      // The server never hears of it.
      await tab.route(`**/admin/v1/agents/${id}`, (route) =>
        route.request().method() === "PATCH" ? route.abort() : route.continue(),
      );
      await tab.goto(address);
      await write(tab, words);
      await expect.poll(() => keptIn(tab)).toContain(words);
    };
    await unsaved(page, " Mind the gap.");
    const alive = await context.newPage();
    await alive.goto(address);
    await expect(alive.getByRole("textbox", { name: /^Persona/ })).toHaveText("Base.");
    // Its editor still lives: nothing is offered while it may yet be saved.
    await expect(alive.getByRole("dialog")).toHaveCount(0);
    await crash(page);

    await alive.reload();
    const dialog = alive.getByRole("dialog", { name: "Changes that were not saved" });
    await expect(dialog.getByRole("region", { name: "Change of Persona" })).toContainText(
      "Base. Mind the gap.",
    );
    await expectAccessible(alive);
    await dialog.getByRole("button", { name: "Take over" }).click();
    await expect.poll(() => promptOf(server, id)).toBe("Base. Mind the gap.");
    await expect.poll(() => keptIn(alive)).toBe("");

    const other = await context.newPage();
    await unsaved(other, " Lost at the door.");
    await crash(other);
    expect(await keptIn(alive)).not.toBe("");
    await alive.getByRole("button", { name: /account and settings/ }).click();
    await alive.getByRole("menuitem", { name: "Sign out" }).click();
    await alive.waitForURL(/sign-in/);
    expect(await keptIn(alive)).toBe("");
  });
});

test("an agent is edited where the browser stores nothing", async ({ console: page, server }) => {
  const { id } = await server.call<{ id: string }>(
    "POST",
    `/admin/v1/workspaces/${server.workspaceId}/agents`,
    { name: "Without storage", prompt: { text: "Base." } },
  );
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "indexedDB", {
      get: () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
  });
  await page.goto(`/console/w/${server.workspaceId}/agents/${id}`);
  await write(page, " More.");
  await expect.poll(() => promptOf(server, id)).toBe("Base. More.");
});

test("who else has an agent open stands in its header, and leaves it with them", async ({
  browser,
  signedIn: page,
  server,
}) => {
  const team = await server.call<{ id: string }>("POST", "/admin/v1/workspaces", { name: "Pier" });
  const place = `/admin/v1/workspaces/${team.id}`;
  const { id } = await server.call<{ id: string }>("POST", `${place}/agents`, { name: "Pier" });
  const mina = await server.call<{ token: string; user: { id: string } }>(
    "POST",
    "/admin/v1/users",
    { name: "mina" },
  );
  await server.call("POST", `${place}/members`, { user_id: mina.user.id, role: "editor" });
  const address = `/console/w/${team.id}/agents/${id}`;
  await page.goto(address);
  await expect(page.getByRole("textbox", { name: /^Persona/ })).toBeVisible();

  const theirs = await browser.newContext({ baseURL: server.url });
  await signIn(theirs, { ...server, token: mina.token });
  const other = await theirs.newPage();
  await other.goto(address);
  const face = page.getByRole("button", { name: "Also here: mina" });
  await expect(face).toBeVisible();
  await expect(other.getByRole("button", { name: /^Also here: / })).toBeVisible();
  await face.click();
  await expect(page.getByRole("dialog", { name: "Also here" })).toContainText("mina");
  await expectAccessible(page);
  await other.goto("/console/account");
  await expect(face).toBeHidden();
  await theirs.close();
});

async function write(page: Page, words: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Persona/ }).press("Control+End");
  await page.keyboard.type(words);
}

async function promptOf(server: Server, id: string): Promise<string> {
  const agent = await server.call<{ prompt: { text: string } }>("GET", `/admin/v1/agents/${id}`);
  return agent.prompt.text;
}

test("what a workflow asks is answered by cards, by builders and by visitors", async ({
  browser,
  console: page,
  world: { server },
}) => {
  const agent = await bookingFlow(server);
  const ask = async (tab: Page): Promise<void> => {
    const composer = tab.getByRole("textbox", { name: "Message" });
    await composer.fill("To Baltrum");
    await composer.press("Enter");
    const card = tab.getByRole("region", { name: "The agent waits for you" });
    await expect(card.getByRole("button", { name: "Ferry" })).toBeFocused();
    // The options are said once, in the card.
    const answer = tab.getByRole("article", { name: "Answer" }).last();
    await expect(answer).toHaveText(/^How do you go\?/);
    await expect(answer.getByRole("listitem")).toHaveCount(0);
    await expectAccessible(tab);
    await card.getByRole("button", { name: "Ferry" }).click();
    await expect(card.getByRole("textbox", { name: "day" })).toBeFocused();
  };
  const fill = async (tab: Page): Promise<void> => {
    const card = tab.getByRole("region", { name: "The agent waits for you" });
    await card.getByRole("textbox", { name: "persons" }).fill("two");
    await card.getByRole("button", { name: "Send" }).click();
    await expect(card.getByText("Write a whole number.")).toBeVisible();
    await expectAccessible(tab);
    await card.getByRole("textbox", { name: "day" }).fill("Monday");
    await card.getByRole("textbox", { name: "persons" }).fill("2");
    await card.getByRole("button", { name: "Send" }).click();
    const booked = tab.getByRole("paragraph").filter({ hasText: "Ferry on Monday for 2." });
    await expect(booked).toBeVisible();
    await expect(card).toHaveCount(0);
  };
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent}`);
  await ask(page);
  // Whoever comes back is asked the same.
  await page.reload();
  await fill(page);

  const links = `/admin/v1/workspaces/${server.workspaceId}/share-links`;
  const body = { target_type: "agent", target_id: agent, settings: { name: "Booking" } };
  const { code } = await server.call<{ code: string }>("POST", links, body);
  const stranger = await browser.newContext({ baseURL: server.url });
  const visit = await stranger.newPage();
  await visit.goto(`/s/${code}`);
  await ask(visit);
  await fill(visit);
  await stranger.close();
});

test("another model and a test user hold for the chat alone", async ({
  signedIn: page,
  world: { server, agent },
}) => {
  test.skip(!process.env["CONSOLE_LONG"], "one journey is enough where time is short");
  await page.goto(`/console/w/${server.workspaceId}/agents/${agent}`);
  await page.getByRole("button", { name: "For this chat" }).click();
  const popup = page.getByRole("dialog", { name: "For this chat" });
  await popup.getByRole("combobox", { name: "As whom" }).fill("passenger-1");
  await page.getByRole("option", { name: /passenger-1/ }).click();
  await popup.getByRole("textbox", { name: "mood" }).fill("curious");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByText("As passenger-1 · 1 own value")).toBeVisible();
  const composer = page.getByRole("textbox", { name: "Message" });
  await composer.fill("How fast does it turn?");
  await composer.press("Enter");
  await expect(page.getByRole("article", { name: "Answer" })).toContainText(/First token/);
  const { items } = await server.call<{ items: { end_user_id: string }[] }>(
    "GET",
    `/admin/v1/agents/${agent}/users?env=draft`,
  );
  expect(items.map(({ end_user_id: id }) => id)).toContain("passenger-1");
});

for (const { theme, language } of LOOKS) {
  test(`the workbench fits a phone, ${theme} and in ${language}`, async ({
    context,
    page,
    world: { server, agent },
  }) => {
    await prefer(context, server, language, theme);
    await signIn(context, server);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/console/w/${server.workspaceId}/agents/${agent}`);
    await expect(page.getByRole("tab").first()).toBeVisible();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  });
}

/** An answer with a formula in a line, one that fills its own, code, and a table. */
const RICH = [
  "The light turns with $\\omega = \\frac{2\\pi}{T}$, for $5 a year.",
  "$$\n\\pmb{x} = \\sum_{n=1}^{\\infty} \\frac{(-1)^{n}}{n!} \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n$$",
  "```python\ndef period(omega):  # seconds\n    return 2 * 3.14 / omega\n```",
  "| Pier | Lights |\n|---|---|\n| North | 2 |",
].join("\n\n");

for (const { theme, language } of LOOKS) {
  test(`formulas and code are drawn, and an answer is copied and judged for good, ${theme} and in ${language}`, async ({
    context,
    page,
    world: { server, model },
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const isZh = language === "zh";
    const agent = await plannedAgent(server, "Beacon", model, [{ say: RICH }]);
    const path = `/admin/v1/agents/${agent}/shortcuts`;
    const component = { name: "pier", input_type: "select", options: ["North", "South"] };
    const question = "How bright is the {{pier}} pier?";
    const shortcut = { name: "Brightness", command: "bright", send_type: "panel" };
    await server.call("POST", path, {
      ...shortcut,
      template_query: question,
      components: [{ ...component, default_value: "North" }],
    });
    await prefer(context, server, language, theme);
    await signIn(context, server);
    await page.goto(`/console/w/${server.workspaceId}/agents/${agent}`);
    const composer = page.getByRole("textbox", { name: isZh ? "消息" : "Message" });
    const name = "harbour.png";
    await page
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "image/png", buffer: flag("H") });
    await expect(page.getByText(name)).toBeVisible();
    await composer.fill("/bri");
    await expect(page.getByRole("option", { name: /Brightness/ })).toBeVisible();
    await expectAccessible(page);
    await composer.press("Enter");
    const form = page.getByRole("form", { name: "Brightness" });
    await expect(form).toBeVisible();
    await expectAccessible(page);
    await form.getByRole("button", { name: isZh ? "发送" : "Send" }).click();
    const answer = page.getByRole("article", { name: isZh ? "回答" : "Answer" });
    await expect(page.getByText("How bright is the North pier?")).toBeVisible();
    await expect(answer.locator("math")).toHaveCount(2);
    await expect(answer.locator("math[display=block] mfrac")).not.toHaveCount(0);
    await expect(answer.getByText("for $5 a year.")).toBeVisible();
    await expect(answer.locator("pre span").first()).toHaveText("def");
    await expectAccessible(page);

    await answer.getByRole("button", { name: isZh ? "复制回答" : "Copy answer" }).click();
    await page.getByRole("menuitem", { name: isZh ? "复制为纯文本" : "Copy as text" }).click();
    const copied = () => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain("Pier\tLights\nNorth\t2");
    expect(await copied()).not.toContain("```");

    await answer.getByRole("button", { name: isZh ? "回答得不好" : "Bad answer" }).click();
    const why = page.getByRole("form", {
      name: isZh ? "这条回答哪里不好？" : "What was bad about it?",
    });
    await why.getByRole("button", { name: isZh ? "不完整" : "Not complete" }).click();
    await why.getByRole("textbox").fill("Which lamp?");
    await expectAccessible(page);
    await why.getByRole("button", { name: isZh ? "发送" : "Send" }).click();
    await expect(answer.getByRole("status")).toHaveText(
      isZh ? "感谢你的反馈。" : "Thank you for telling.",
    );
    const chat = new URL(page.url()).searchParams.get("chat");
    const transcript = `/admin/v1/conversations/${chat}/transcript`;
    const read = () =>
      server.call<{ feedback: { reason_types: string[]; comment: string }[] }>("GET", transcript);
    await expect
      .poll(async () => (await read()).feedback)
      .toMatchObject([{ reason_types: ["incomplete"], comment: "Which lamp?" }]);

    await page.clock.setFixedTime(Date.now() + DAY_MS);
    await page.reload();
    await expect(page.getByText(isZh ? "昨天" : "Yesterday", { exact: true })).toBeVisible();
    await expect(
      answer.getByRole("button", { name: isZh ? "回答得不好" : "Bad answer" }),
    ).toHaveAttribute("aria-pressed", "true");
    await page.getByRole("button", { name: isZh ? `放大 ${name}` : `Enlarge ${name}` }).click();
    await expect(page.getByRole("dialog").getByRole("img", { name })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await composer.fill(isZh ? "现在呢？" : "And now?");
    await composer.press("Enter");
    await expect(page.getByText(isZh ? "今天" : "Today", { exact: true })).toBeVisible();
  });
}
