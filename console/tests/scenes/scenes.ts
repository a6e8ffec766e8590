import { join } from "node:path";
import type { Page } from "@playwright/test";
import { signIn } from "../browser/fixture";
import { FIXTURES, type World } from "./world";

/** A state of a screen that people look at before it is called done. */
export type Scene = {
  name: string;
  /** Below the server; ids of the world stand in braces, `{w}` is the workspace. */
  path: string;
  /** Nobody is signed in. */
  isPublic?: true;
  /** It is looked at while its data is on the way. */
  isLoading?: true;
  /** What is done before the picture; the page is in English or Chinese. */
  prepare?: (page: Page, world: World) => Promise<void>;
};

const W = "console/w/{w}";
const MORE = /^(More actions for Harbour guide|“Harbour guide”的更多操作)/;

export const SCENES: readonly Scene[] = [
  { name: "sign-in", path: "console/sign-in", isPublic: true },
  {
    name: "sign-in-token",
    path: "console/sign-in",
    isPublic: true,
    prepare: press(/access token|令牌/),
  },
  { name: "link-used-up", path: "console/welcome?ticket=gone", isPublic: true },
  { name: "first-run", path: "console/welcome?ticket={ticket}", isPublic: true },
  { name: "home", path: W },
  { name: "home-empty", path: "console/w/{empty}" },
  {
    name: "home-first-step",
    path: "console/w/{empty}",
    prepare: press(/^(1\s*)?(A model|一个模型|模型)/),
  },
  {
    name: "home-second-step",
    path: "console/w/{empty}",
    prepare: press(/^2?\s*(Something it knows|一些资料)/),
  },
  {
    name: "home-third-step",
    path: "console/w/{empty}",
    prepare: press(/^3?\s*(A first question|第一个问题)/),
  },
  { name: "agents", path: `${W}/agents` },
  { name: "agents-loading", path: W, isLoading: true, prepare: unanswered },
  { name: "agents-error", path: W, prepare: refused },
  { name: "signed-out", path: W, isLoading: true, prepare: signedOut },
  { name: "agents-empty", path: "console/w/{empty}/agents" },
  { name: "agents-no-match", path: `${W}/agents?q=zeppelin` },
  { name: "agents-cards", path: `${W}/agents?view=cards` },
  { name: "agent-new", path: `${W}/agents`, prepare: opens(/^(New agent|新建智能体)$/) },
  { name: "agent-of-documents", path: `${W}/agents`, prepare: ofDocuments },
  { name: "agent-from-file", path: `${W}/agents?new=1`, prepare: fromFile },
  { name: "workbench", path: `${W}/agents/{guide}` },
  {
    name: "workbench-answer",
    path: `${W}/agents/{guide}`,
    prepare: asked("When does the next ferry leave?"),
  },
  { name: "workbench-presence", path: W, prepare: inCompany },
  { name: "workbench-streaming", path: `${W}/agents/{slow}`, prepare: streaming },
  { name: "workbench-consent", path: `${W}/agents/{desk}`, prepare: consented },
  {
    name: "workbench-details",
    path: `${W}/agents/{guide}`,
    prepare: explained,
  },
  { name: "workbench-publish", path: `${W}/agents/{guide}`, prepare: publishing },
  { name: "workbench-menu", path: `${W}/agents/{guide}`, prepare: menu },
  { name: "workbench-code", path: `${W}/agents/{guide}`, prepare: chosen(/^(Calls|调用)/) },
  { name: "workbench-find", path: `${W}/agents/{guide}`, prepare: lookedUp },
  { name: "workbench-improve", path: `${W}/agents/{guide}`, prepare: improved },
  { name: "workbench-parts", path: `${W}/agents/{guide}`, prepare: unfolded },
  { name: "workbench-shortcut", path: `${W}/agents/{guide}`, prepare: shortcut },
  { name: "workbench-opening", path: `${W}/agents/{guide}`, prepare: opening },
  { name: "workbench-trying", path: `${W}/agents/{guide}`, prepare: trying },
  { name: "workbench-conflict", path: `${W}/agents/{guide}`, prepare: conflicted },
  { name: "workbench-tools", path: `${W}/agents/{guide}`, prepare: tools },
  { name: "workbench-tool-picker", path: `${W}/agents/{guide}`, prepare: toolPicker },
  { name: "workbench-new-tool", path: `${W}/agents/{guide}`, prepare: newTool },
  { name: "workbench-new-base", path: `${W}/agents/{guide}`, prepare: newBase },
  { name: "workbench-versions", path: `${W}/agents/{guide}/versions` },
  { name: "workbench-remembered", path: `${W}/agents/{guide}`, prepare: remembered },
  { name: "workflows", path: `${W}/workflows` },
  { name: "workflow-import", path: `${W}/workflows`, prepare: opens(/^(Import|导入)/) },
  { name: "import-report", path: `${W}/workflows`, prepare: reviewed },
  { name: "canvas-small", path: `${W}/workflows/{small}` },
  { name: "canvas-branches", path: `${W}/workflows/{branches}`, prepare: laidOut },
  { name: "canvas-loop", path: `${W}/workflows/{loop}`, prepare: laidOut },
  { name: "canvas-http-form", path: `${W}/workflows/{http}`, prepare: nodeForm },
  { name: "canvas-curl", path: `${W}/workflows/{http}`, prepare: curl },
  { name: "canvas-example", path: `${W}/workflows/{sums}`, prepare: example },
  { name: "canvas-outline", path: `${W}/workflows/{loop}`, prepare: press(/^(Outline|大纲)/) },
  { name: "canvas-run", path: `${W}/workflows/{branches}`, prepare: canvasRun },
  { name: "canvas-publish", path: `${W}/workflows/{branches}`, prepare: opens(/^(Publish|发布)$/) },
  { name: "canvas-node-result", path: `${W}/workflows/{branches}`, prepare: repeating },
  { name: "canvas-fixed-output", path: `${W}/workflows/{branches}`, prepare: fixedOutput },
  { name: "canvas-batch-form", path: `${W}/workflows/{batch}`, prepare: batchForm },
  { name: "canvas-skills", path: `${W}/workflows/{batch}`, prepare: skills },
  { name: "canvas-code-form", path: `${W}/workflows/{sums}`, prepare: nodeForm },
  { name: "canvas-chat", path: `${W}/workflows/{talk}`, prepare: talkedTo },
  { name: "knowledge", path: `${W}/knowledge` },
  { name: "base", path: `${W}/knowledge/{handbook}` },
  { name: "base-importing", path: W, prepare: importing },
  { name: "base-table", path: `${W}/knowledge/{fares}` },
  { name: "base-images", path: `${W}/knowledge/{signals}` },
  { name: "base-empty", path: `${W}/knowledge/{timetables}` },
  { name: "base-import", path: `${W}/knowledge/{handbook}/import` },
  {
    name: "base-import-preview",
    path: `${W}/knowledge/{handbook}/import`,
    prepare: importPreview,
  },
  {
    name: "base-import-pages",
    path: `${W}/knowledge/{handbook}/import`,
    prepare: importPages,
  },
  { name: "base-import-table", path: `${W}/knowledge/{routes}/import`, prepare: tableOfFile },
  { name: "base-test", path: `${W}/knowledge/{handbook}?tab=test`, prepare: searched },
  { name: "base-test-beside", path: `${W}/knowledge/{handbook}?tab=test`, prepare: beside },
  { name: "base-quality", path: `${W}/knowledge/{handbook}?tab=quality` },
  { name: "base-settings", path: `${W}/knowledge/{handbook}?tab=settings` },
  { name: "document-pdf", path: `${W}/knowledge/{handbook}/documents/{pdf}` },
  { name: "document-markdown", path: `${W}/knowledge/{handbook}/documents/{markdown}` },
  {
    name: "document-pages",
    path: `${W}/knowledge/{regulations}/documents/{chinese}`,
    prepare: hatched,
  },
  { name: "document-table", path: `${W}/knowledge/{fares}/documents/{prices}` },
  { name: "document-image", path: `${W}/knowledge/{signals}/documents/{signal}` },
  {
    name: "document-details",
    path: `${W}/knowledge/{handbook}/documents/{pdf}`,
    prepare: opens(/^(Details|详细信息)$/),
  },
  { name: "plugins", path: `${W}/plugins` },
  { name: "plugin-import", path: `${W}/plugins/import` },
  { name: "plugin-review", path: `${W}/plugins/import`, prepare: pluginReview },
  { name: "plugin-mcp", path: `${W}/plugins/import?kind=mcp` },
  {
    name: "plugin-mcp-change",
    path: `${W}/plugins/{harbour}`,
    prepare: opens(/^(Inspect|获取工具列表)$/),
  },
  { name: "plugin", path: `${W}/plugins/{plugin}` },
  { name: "plugin-access", path: `${W}/plugins/{plugin}?tab=access` },
  { name: "tool", path: `${W}/plugins/{plugin}/tools/{tool}` },
  { name: "tool-call", path: `${W}/plugins/{plugin}/tools/{tool}`, prepare: toolCall },
  { name: "databases", path: `${W}/databases` },
  { name: "database", path: `${W}/databases/{table}` },
  { name: "database-bad-cell", path: `${W}/databases/{table}`, prepare: badCell },
  { name: "database-import", path: `${W}/databases/{table}`, prepare: tableImport },
  { name: "database-structure", path: `${W}/databases/{table}?tab=structure` },
  { name: "database-sql", path: `${W}/databases/{table}?tab=sql` },
  { name: "database-sql-plan", path: `${W}/databases/{table}?tab=sql`, prepare: explainedSql },
  { name: "database-sql-result", path: `${W}/databases/{table}?tab=sql`, prepare: ranSql },
  { name: "variables", path: `${W}/databases/variables` },
  { name: "variables-agent", path: `${W}/databases/variables?agent={guide}&side=draft` },
  { name: "variables-app", path: `${W}/databases/variables?app={app}`, prepare: person },
  { name: "prompts", path: `${W}/prompts` },
  { name: "prompt-new", path: `${W}/prompts`, prepare: opens(/^(New prompt|新建提示词)$/) },
  { name: "prompt-try", path: `${W}/prompts`, prepare: promptTried },
  { name: "prompt-uses", path: `${W}/prompts`, prepare: promptUses },
  { name: "runs", path: `${W}/runs` },
  { name: "runs-columns", path: `${W}/runs`, prepare: press(/^(Columns|列)$/) },
  {
    name: "runs-filters",
    path: `${W}/runs?tag=summer&state=completed&cost=-1&duration=-30000&version=draft`,
  },
  { name: "trace", path: `${W}/runs/{run}` },
  { name: "trace-prompt", path: `${W}/runs/{run}`, prepare: promptAsSent },
  { name: "conversations", path: `${W}/conversations` },
  { name: "conversation", path: `${W}/conversations/{conversation}` },
  { name: "runs-compare", path: `${W}/runs/compare?a={run}&b={again}` },
  { name: "links", path: `${W}/links` },
  { name: "link", path: `${W}/links/{link}` },
  { name: "chat-page", path: "s/{code}", isPublic: true },
  { name: "chat-answer", path: "s/{code}", isPublic: true, prepare: visited },
  { name: "chat-password", path: "s/{lockedCode}", isPublic: true },
  { name: "chat-budget-end", path: "s/{spentCode}", isPublic: true, prepare: spent },
  { name: "embed-closed", path: "console/sign-in", isPublic: true, prepare: onSite(false) },
  { name: "embed-open", path: "console/sign-in", isPublic: true, prepare: onSite(true) },
  { name: "usage", path: `${W}/usage` },
  { name: "usage-budgets", path: `${W}/usage?tab=budgets` },
  { name: "settings", path: `${W}/settings/general` },
  { name: "settings-members", path: `${W}/settings/members` },
  { name: "settings-tokens", path: `${W}/settings/tokens` },
  {
    name: "settings-token-new",
    path: `${W}/settings/tokens`,
    prepare: opens(/^(New token|新建令牌)$/),
  },
  { name: "settings-services", path: `${W}/settings/services` },
  { name: "settings-groups", path: `${W}/settings/groups` },
  {
    name: "settings-group",
    path: `${W}/settings/groups`,
    prepare: press(/^(Members|成员)$/),
  },
  { name: "settings-sharing", path: `${W}/settings/sharing` },
  { name: "settings-apps", path: `${W}/settings/apps` },
  {
    name: "settings-app-new",
    path: `${W}/settings/apps`,
    prepare: opens(/^(New application|注册应用程序)$/),
  },
  { name: "models", path: "console/models" },
  { name: "model-new", path: "console/models/new" },
  { name: "operations", path: "console/operations" },
  { name: "operations-failing", path: "console/operations/settings", prepare: failing },
  { name: "operations-letter", path: "console/operations/letters", prepare: letter },
  { name: "operations-queues", path: "console/operations/queues" },
  { name: "operations-letters", path: "console/operations/letters" },
  { name: "operations-metrics", path: "console/operations/metrics" },
  { name: "operations-logs", path: "console/operations/logs" },
  { name: "operations-backup", path: "console/operations/backup" },
  { name: "operations-settings", path: "console/operations/settings" },
  { name: "administration", path: "console/admin/users" },
  { name: "administration-workspaces", path: "console/admin/workspaces" },
  { name: "administration-providers", path: "console/admin/providers" },
  { name: "administration-apps", path: "console/admin/apps" },
  {
    name: "administration-provider-new",
    path: "console/admin/providers",
    prepare: opens(/^(New provider|添加提供方)$/),
  },
  { name: "audit", path: "console/admin/audit" },
  { name: "account", path: "console/account" },
  { name: "find", path: `${W}/agents`, prepare: found },
  { name: "shortcuts", path: `${W}/agents`, prepare: shortcuts },
  { name: "not-found", path: "console/nowhere" },
];

/** Whose look is kept in `references`; nothing in them depends on the time or on ids. */
export const KEY_SCENES: ReadonlySet<string> = new Set([
  "sign-in",
  "agents-empty",
  "agent-new",
  "workflow-import",
  "plugin-import",
  "plugin-review",
  "plugin-mcp-change",
  "variables-app",
  "prompts",
  "prompt-new",
  "settings-token-new",
  "shortcuts",
]);

/** The path of a scene in this world. */
export function pathOf(scene: Scene, world: World): string {
  return scene.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = name === "w" ? world.server.workspaceId : world.ids[name];
    if (id === undefined) throw new Error(`${scene.name}: the world has no ${name}`);
    return id;
  });
}

function press(name: RegExp): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole("button", { name }).first().click();
  };
}

const AGENTS = "**/admin/v1/**agents?*";

/** The list does not come. */
async function unanswered(page: Page): Promise<void> {
  await page.route(AGENTS, () => undefined);
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.locator("[data-skeleton]").first().waitFor();
}

/** The list is not to be had. */
async function refused(page: Page): Promise<void> {
  const json = { code: 5000, message: "Something went wrong on our side.", kind: "internal" };
  const headers = { "x-log-id": "20260611091042A1B2C3" };
  await page.route(AGENTS, (route) => route.fulfill({ status: 500, headers, json }));
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.getByRole("alert").waitFor();
}

/** The session ends while somebody works; the next size begins with a new one. */
async function signedOut(page: Page, world: World): Promise<void> {
  await signIn(page.context(), world.server);
  await page.goto(`/console/w/${world.server.workspaceId}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.context().clearCookies({ name: /^coterie-\d/ });
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.getByRole("dialog").waitFor();
}

/** The object store does not answer. */
async function failing(page: Page): Promise<void> {
  await page.route("**/operations/health", async (route) => {
    const answer = await route.fetch();
    const health = await answer.json();
    const part = health.parts.find((each: { name: string }) => each.name === "object_store");
    Object.assign(part, { is_ok: false, note: "Connection refused by 10.0.4.7:9000." });
    await route.fulfill({ response: answer, json: { ...health, status: "unavailable" } });
  });
  await page.getByRole("tab", { name: /^(Health|健康|运行状况|状态)/ }).click();
  await page.getByText("Connection refused by 10.0.4.7:9000.").waitFor();
}

/** Two colleagues have the agent open too. */
async function inCompany(page: Page, { server, ids }: World): Promise<void> {
  const since = Math.floor(Date.now() / 1000);
  const people = [ids["grace"], ids["linxiao"]].map((user_id) => ({ user_id, since }));
  await page.route("**/admin/v1/live*", () => undefined);
  await page.route("**/admin/v1/presence", (route) => route.fulfill({ json: { people } }));
  await page.goto(`/console/w/${server.workspaceId}/agents/${ids["guide"]}`);
  const faces = page.getByRole("button", { name: /Grace Okafor/ });
  await faces.focus();
  await faces.hover();
  await page.getByText("林晓").waitFor();
}

/** What searches know nothing of is hatched, a slice that is switched off included. */
async function hatched(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: /^(Show what is not indexed|显示未建立索引的内容)$/ })
    .click();
  await page.locator("[data-uncovered]").first().waitFor();
}

/** One document is being read, one waits for its turn. */
async function importing(page: Page, { server, ids }: World): Promise<void> {
  const place = `**/admin/v1/datasets/${ids["handbook"]}`;
  await page.route(`${place}/documents?*`, async (route) => {
    const answer = await route.fetch();
    const found = await answer.json();
    const named = (name: string) =>
      found.items.find((each: { name: string }) => each.name === name);
    Object.assign(named("Sea state study.pdf"), { status: 4 });
    Object.assign(named("Luggage"), { status: -1 });
    await route.fulfill({ response: answer, json: found });
  });
  await page.route(`${place}/progress`, async (route) => {
    const work = { status: 4, percent: 62, remaining_s: 40, slice_count: 12 };
    const none = { fail_code: 0, fail_reason: "" };
    const items = [{ document_id: ids["pdf"], ...work, ...none }];
    await route.fulfill({ json: { items, total: 2, next_cursor: null } });
  });
  await page.goto(`/console/w/${server.workspaceId}/knowledge/${ids["handbook"]}`);
  await page.getByRole("progressbar").first().waitFor();
}

async function letter(page: Page): Promise<void> {
  await page
    .getByRole("row", { name: /agent\.published/ })
    .getByRole("button")
    .click();
  await page.getByRole("dialog").waitFor();
}

async function fromFile(page: Page): Promise<void> {
  await page
    .getByRole("dialog")
    .getByText(/^(From a file|从文件导入)$/)
    .click();
}

/** Presses what opens a dialog, and waits for it. */
function opens(name: RegExp): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole("button", { name }).first().click();
    await page.getByRole("dialog").waitFor();
  };
}

async function publishing(page: Page): Promise<void> {
  await opens(/^(Publish|发布)$/)(page);
  await page
    .getByRole("dialog")
    .getByRole("heading", { name: /^(What changes|有哪些)/ })
    .waitFor();
}

async function menu(page: Page): Promise<void> {
  await press(MORE)(page);
  await page.getByRole("menuitem").first().waitFor();
}

/** Takes an entry of the menu of the workbench. */
function chosen(name: RegExp): (page: Page) => Promise<void> {
  return async (page) => {
    await press(MORE)(page);
    await page.getByRole("menuitem", { name }).click();
    await page.getByRole("dialog").waitFor();
  };
}

async function lookedUp(page: Page): Promise<void> {
  await press(/^(Find and replace|查找与替换)/)(page);
  await page.getByRole("textbox", { name: /^(Find|查找)$/ }).fill("departures");
}

/** A proposal that changes two sentences, told as the server tells it. */
async function improved(page: Page): Promise<void> {
  await page.route("**/assist", async (route) => {
    const { text } = route.request().postDataJSON();
    const proposal = String(text)
      .replace("At most two sentences", "One sentence")
      .replace("\n\nTone", "\n- Offer the timetable as a link.\n\nTone");
    const usage = { input_tokens: 412, output_tokens: 96, cached_tokens: 0, estimated: false };
    const events = [
      { type: "reply.delta", text: proposal, reasoning: "" },
      {
        type: "reply.completed",
        finish_reason: "stop",
        refusal: "",
        usage,
        first_token_ms: 310,
        duration_ms: 2140,
      },
    ];
    const body = events.map((e) => `event: ${e.type}\ndata: ${JSON.stringify(e)}\n\n`).join("");
    await route.fulfill({ contentType: "text/event-stream", body });
  });
  await opens(/^(Improve|改进)/)(page);
  await page.getByRole("textbox", { name: /^(What is to be|希望有)/ }).fill("Be brief.");
  await page.getByRole("button", { name: /^(Propose|给出建议)/ }).click();
  await page.getByRole("button", { name: /^(Take over|采纳)/ }).waitFor();
}

/** A part of the abilities, unfolded. */
async function part(page: Page, name: RegExp): Promise<void> {
  await page
    .locator("summary")
    .filter({ has: page.getByRole("heading", { name }) })
    .click();
}

async function unfolded(page: Page): Promise<void> {
  await part(page, /^(Model|模型)$/);
  for (const name of [/^(Team|团队)$/, /^(Shortcuts|快捷指令)$/, /^(Variables|变量)$/])
    await part(page, name);
  await page.getByRole("button", { name: /^Order desk/ }).click();
}

async function tools(page: Page): Promise<void> {
  await part(page, /^(Model|模型)$/);
  await part(page, /^(Tools|工具)$/);
  await page
    .getByText(/^(Fixed values|固定值)$/)
    .first()
    .click();
}

async function toolPicker(page: Page): Promise<void> {
  await part(page, /^(Tools|工具)$/);
  await opens(/^(Add tools|添加工具)$/)(page);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /harbour|delay|ferr/i })
    .first()
    .click();
}

async function shortcut(page: Page): Promise<void> {
  await part(page, /^(Shortcuts|快捷指令)$/);
  await opens(/^(Edit Plan a trip|编辑“Plan a trip”)/)(page);
}

async function opening(page: Page): Promise<void> {
  await part(page, /^(Model|模型)$/);
  for (const name of [/^(Opening|开场白)/, /^(Boundaries|边界)$/]) await part(page, name);
}

async function trying(page: Page): Promise<void> {
  await toTry(page);
  await opens(/^(For this chat|仅用于此试用)$/)(page);
}

/** Somebody else changes the persona while it is written here. */
async function conflicted(page: Page, { server, ids }: World): Promise<void> {
  const address = `/admin/v1/agents/${ids["guide"]}`;
  const before = await server.call<{ prompt: { text: string } }>("GET", address);
  const persona = before.prompt.text.replace("{{tone}}", "{{tone}}, in plain words");
  await server.call("PATCH", address, { prompt: { text: persona } });
  await page.getByRole("textbox", { name: /^(Persona|人设)/ }).press("Control+End");
  await page.keyboard.type(", and briefly");
  await page.getByRole("dialog").waitFor();
  await server.call("PATCH", address, { prompt: before.prompt });
}

async function remembered(page: Page): Promise<void> {
  await part(page, /^(Memory|记忆)$/);
  await opens(/^(What it remembers|它记住了)/)(page);
  await page.getByRole("dialog").getByText("tone").waitFor();
}

async function visited(page: Page): Promise<void> {
  await page.getByRole("button", { name: "When does the next ferry leave?" }).click();
  await page.getByRole("button", { name: /^(Copy answer|复制回答)$/ }).waitFor();
}

/** Asks until there is nothing left to answer from: the first question may still be answered. */
async function spent(page: Page): Promise<void> {
  const composer = page.getByRole("textbox", { name: /^(Message|消息)/ });
  const alert = page.getByRole("alert");
  const over = page.getByRole("button", { name: /^(Copy answer|复制回答)$/ }).or(alert);
  for (const question of ["May I bring a dog?", "And a bicycle?"]) {
    if (await alert.isVisible()) return;
    await composer.fill(question);
    await composer.press("Enter");
    await over.last().waitFor();
  }
}

/** A page of somebody else with the button of a chat on it. */
function onSite(isOpen: boolean): (page: Page, world: World) => Promise<void> {
  return async (page, world) => {
    const code = String(world.ids["code"]);
    await page.route("**/harbour", (route) =>
      route.fulfill({ contentType: "text/html; charset=utf-8", body: harbour(code, isOpen) }),
    );
    // The root of the widget is closed: its frame is found where frames are, not below it.
    const chat = isOpen ? page.waitForEvent("frameattached") : undefined;
    await page.goto("/harbour");
    await page.locator("coterie-chat").waitFor({ state: "attached" });
    await (await chat)?.getByRole("textbox").waitFor();
  };
}

function harbour(code: string, isOpen: boolean): string {
  const style =
    "body{font:16px/26px Georgia,serif;margin:64px auto;max-width:640px;padding:0 24px;color:#222}";
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour</title>
<meta name="viewport" content="width=device-width"><style>${style}</style></head><body>
<h1>Ferries to the islands</h1><p>Four departures a day in summer, two in winter. Bicycles and dogs
are welcome on every boat; cars have to be booked a day before.</p><p>The office at the pier is open
from eight to five.</p><script src="/embed.js" data-link="${code}" data-open="${isOpen}" async></script>
</body></html>`;
}

function asked(question: string): (page: Page) => Promise<void> {
  return async (page) => {
    await toTry(page);
    const composer = page.getByRole("textbox", { name: /^(Message|消息)/ });
    await composer.fill(question);
    await composer.press("Enter");
    await page.getByText("A bicycle costs").first().waitFor();
    await page
      .getByText(/First token|首 token/)
      .first()
      .waitFor();
  };
}

async function explained(page: Page): Promise<void> {
  await asked("When does the next ferry leave?")(page);
  await opens(/^(Details|详情|详细|明细)/)(page);
  await page.getByRole("dialog").getByRole("row").nth(2).waitFor();
}

async function consented(page: Page): Promise<void> {
  await toTry(page);
  const composer = page.getByRole("textbox", { name: /^(Message|消息)/ });
  await composer.fill("Please cancel A-7731");
  await composer.press("Enter");
  await page.getByRole("button", { name: /^(Allow|允许)/ }).waitFor();
}

/** On narrow windows the chat is a tab beside the editor. */
async function toTry(page: Page): Promise<void> {
  const tab = page.getByRole("tab", { name: /^(Try|试用|试)/ });
  if (await tab.isVisible()) await tab.click();
}

async function streaming(page: Page): Promise<void> {
  await toTry(page);
  const composer = page.getByRole("textbox", { name: /^(Message|消息)/ });
  await composer.fill("Please announce the 09:10 to Norderney");
  await composer.press("Enter");
  await page.getByText("t39").waitFor();
}

/** A new agent, with the files chosen that it is to answer from. */
async function ofDocuments(page: Page): Promise<void> {
  await opens(/^(New agent|新建智能体)$/)(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^(From documents|从文档创建)$/).click();
  const file = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.alloc(48_000) });
  await dialog
    .locator("input[type=file]")
    .setInputFiles([file("Conditions of carriage.md"), file("Timetable 2026.md")]);
}

/** The nodes in order, all of them in sight. */
async function laidOut(page: Page): Promise<void> {
  await page.getByRole("application").first().focus();
  await page.keyboard.press("Control+Shift+l");
  await page.keyboard.press("Control+0");
  await page.keyboard.press("Escape");
}

async function nodeForm(page: Page): Promise<void> {
  await page.getByRole("application").first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: /^(Title|标题)$/ }).waitFor();
}

async function curl(page: Page): Promise<void> {
  await nodeForm(page);
  await opens(/^(Paste curl|粘贴 curl)$/)(page);
  await page
    .getByRole("dialog")
    .getByRole("textbox")
    .fill("curl 'https://harbour.example/v1/departures?line=north' -H 'Accept: application/json'");
}

async function example(page: Page): Promise<void> {
  await nodeForm(page);
  await opens(/^(Declare from an example|用示例声明)$/)(page);
  const departures = [{ time: "09:10", delay: 4, places: ["Norderney"] }];
  await page
    .getByRole("dialog")
    .getByRole("textbox")
    .fill(JSON.stringify({ line: "north", departures }, undefined, 2));
}

async function canvasRun(page: Page): Promise<void> {
  await laidOut(page);
  await page.getByRole("application").first().focus();
  await page.keyboard.press("Control+Enter");
  const panel = page.getByRole("complementary", { name: /^(Test run|试运行)/ });
  await panel.getByRole("textbox").first().fill("12");
  await panel
    .getByRole("button", { name: /^(Run|运行)/ })
    .last()
    .click();
  await panel
    .getByText(/^(Done|Failed|完成|已完成|失败)$/)
    .first()
    .waitFor();
}

/** The form of the node behind the start, once the whole has run. */
async function repeating(page: Page): Promise<void> {
  await canvasRun(page);
  await nodeForm(page);
  await page
    .getByRole("button", { name: /^(Run again from here|从此处)/ })
    .first()
    .click();
}

async function fixedOutput(page: Page): Promise<void> {
  await laidOut(page);
  await page.getByRole("application").first().focus();
  for (const key of ["Home", "ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  const panel = page.getByRole("complementary", { name: /^(Node|节点)/ });
  await panel.getByRole("button", { name: /^(More|更多)/ }).click();
  await page.getByRole("menuitem", { name: /^(Fix its output|试运行时固定)/ }).click();
  await panel
    .getByRole("textbox", { name: /^output/ })
    .first()
    .fill("Please pay at the pier.");
  await panel.getByRole("button", { name: /^(Fix output|固定输出)$/ }).click();
}

async function batchForm(page: Page): Promise<void> {
  await nodeForm(page);
  await page.getByRole("heading", { name: /^(If it fails|异常处理)/ }).scrollIntoViewIfNeeded();
}

async function skills(page: Page): Promise<void> {
  await nodeForm(page);
  await page.getByRole("heading", { name: /^(Skills|技能)/ }).scrollIntoViewIfNeeded();
  await page.getByRole("heading", { name: /^(Outputs|输出)/ }).scrollIntoViewIfNeeded();
}

async function talkedTo(page: Page): Promise<void> {
  await page.getByRole("application").first().focus();
  await page.keyboard.press("Control+Enter");
  const composer = page.getByRole("textbox", { name: /^(Message|消息)/ });
  await composer.fill("May I bring a dog?");
  await composer.press("Enter");
  await page.getByText("You said: May I bring a dog?").first().waitFor();
  await page.locator("[data-state=success]").first().waitFor();
}

/** Two files, one of which calls the other, and a model that is not here. */
async function reviewed(page: Page): Promise<void> {
  await opens(/^(Import|导入)/)(page);
  const files = Object.entries({
    "Check the fare.json": caller(),
    "workflow-471100.json": called(),
  }).map(([name, canvas]) => ({
    name,
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(canvas)),
  }));
  await page.locator("input[type=file]").setInputFiles(files);
  await page.getByRole("combobox").first().waitFor();
  await page.locator("summary").first().click();
}

async function searched(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: /^(Question|问题)/ }).fill("How many pieces of luggage?");
  await page.getByRole("button", { name: /^(Search|搜索|检索)$/ }).click();
  await page.getByRole("link", { name: "Luggage" }).first().waitFor();
}

/** Two settings, of which the second one finds by words alone. */
async function beside(page: Page): Promise<void> {
  await page.getByRole("switch", { name: /^(Compare with other|与另一组)/ }).click();
  await page
    .getByText(/^(Words|关键词)$/)
    .last()
    .click();
  await searched(page);
}

async function importPreview(page: Page): Promise<void> {
  await page
    .getByText(/^(Text|文本)$/)
    .first()
    .click();
  await page.getByRole("textbox", { name: /^(Name|名称)/ }).fill("Winter timetable");
  await page.getByRole("textbox", { name: /^(Text|文本)/ }).fill(WINTER);
  await page.getByRole("button", { name: /^(Add text|添加文本)$/ }).click();
  await page.getByText("Two departures a day").first().waitFor();
}

/** The pages of a file beside the slices it would become, of which one is chosen. */
async function importPages(page: Page): Promise<void> {
  const file = join(FIXTURES, "documents", "paper-page.pdf");
  await page.locator('input[type="file"]').first().setInputFiles(file);
  const second = page.getByRole("button", { name: /^(Slice|切片) 2$/ });
  await second.waitFor();
  await second.click({ position: { x: 8, y: 8 } });
  const sheet = page.getByRole("img", { name: /^(Page 1|第 1 页)$/ });
  const isNarrow = (page.viewportSize()?.width ?? 0) < 1180;
  if (isNarrow) await page.getByRole("tab", { name: /^(Original|原文)$/ }).click();
  await sheet.evaluate(async (image) => {
    if (image instanceof HTMLImageElement) await image.decode();
  });
  await sheet.scrollIntoViewIfNeeded();
}

/** A file whose guessed types were changed to ones that a cell does not fit. */
async function tableOfFile(page: Page): Promise<void> {
  const rows = ["line,departures,first,from Norddeich", "Norderney,14,2026-04-01,yes"];
  rows.push("Juist,by tide,2026-04-01,yes", "Baltrum,3,2026-04-15,no");
  await page.locator("input[type=file]").setInputFiles({
    name: "routes.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(rows.join("\n")),
  });
  await page.getByRole("combobox", { name: /departures/ }).click();
  await page.getByRole("option", { name: /^(Integer|整数)$/ }).click();
  await page
    .getByText(/by tide[:：]/)
    .first()
    .waitFor();
}

const WINTER = `# Winter timetable

Two departures a day in each direction, from November to March.

## Sundays

One departure at noon; groups of more than ten book the day before.`;

/** A document of which one tool has a short description and one cannot be read. */
async function pluginReview(page: Page): Promise<void> {
  await page.getByRole("textbox").first().fill(DOCUMENT);
  await page.getByRole("button", { name: /^(Review|检查|预览)/ }).click();
  await page.getByRole("checkbox").nth(1).waitFor();
}

const DOCUMENT = `openapi: 3.0.3
info: {title: Weather at sea, version: "3"}
servers: [{url: "https://weather.example/v3"}]
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
security: [{key: []}]
paths:
  /forecast:
    get:
      operationId: get_forecast
      summary: Wind, waves and visibility of the next days for a harbour that the user names.
      parameters:
        - {name: harbour, in: query, required: true, schema: {type: string}}
      responses: {"200": {description: ok}}
  /alerts:
    get:
      operationId: alerts
      summary: Alerts
      responses: {"200": {description: ok}}
  /observations:
    post:
      operationId: report_observation
      summary: Reports what a captain sees, for the forecasts of others.
      responses: {"200": {description: ok}}
  /broken:
    get:
      operationId: broken
      parameters: [{$ref: "#/components/parameters/Gone"}]
      responses: {"200": {description: ok}}
`;

async function newTool(page: Page): Promise<void> {
  await toolPicker(page);
  await press(/^(New from an API|接入 API)/)(page);
}

async function newBase(page: Page): Promise<void> {
  await part(page, /^(Knowledge|知识)$/);
  await opens(/^(New base from files|从文件新建知识库)$/)(page);
}

async function toolCall(page: Page): Promise<void> {
  const call = page.getByRole("region", { name: /^(Test call|试调用|测试调用)/ });
  await call.getByLabel("line", { exact: true }).fill("Norderney");
  await call.getByRole("button", { name: /^(Call|调用)$/ }).click();
  await call.getByText(/200/).first().waitFor();
}

async function badCell(page: Page): Promise<void> {
  await page.getByRole("gridcell", { name: "Ada Pettersson" }).click();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type("many");
  await page.keyboard.press("Enter");
}

/** Rows of which two do not fit. */
async function tableImport(page: Page): Promise<void> {
  await opens(/^(Import|导入)$/)(page);
  const rows = ["passenger,seats,departure,paid", "Mia Lund,2,2026-06-01 09:10:00,true"];
  rows.push("王芳,many,2026-06-02 09:10:00,false", ",1,soon,true");
  await page.locator("input[type=file]").setInputFiles({
    name: "bookings.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(rows.join("\n")),
  });
  await page.getByText("Mia Lund").waitFor();
}

async function explainedSql(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^(Explain|解释|查看)/ }).click();
  await page
    .getByText(/^(Reads|读取|只读)/)
    .first()
    .waitFor();
}

async function ranSql(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^(Run|运行|执行)$/ }).click();
  await page.getByRole("cell").first().waitFor();
}

async function person(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^passenger-1207/ }).click();
  await page.getByText("Deutsch").waitFor();
}

async function promptTried(page: Page): Promise<void> {
  await page.getByRole("row", { name: /Calm tone/ }).press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.getByRole("button", { name: /^(Try it with|用模型试用)/ }).click();
  await page.getByRole("button", { name: /^(Ask|提问)$/ }).waitFor();
}

async function promptUses(page: Page): Promise<void> {
  await page
    .getByRole("button", { name: /^(More actions for Calm tone|“Calm tone”的更多)/ })
    .click();
  await page.getByRole("menuitem", { name: /^(Used where|使用位置)$/ }).click();
  await page.getByRole("dialog").waitFor();
}

async function promptAsSent(page: Page): Promise<void> {
  await page
    .getByRole("row", { name: /planned/ })
    .last()
    .click();
  await page.getByRole("tabpanel").getByRole("listitem").first().waitFor();
}

async function shortcuts(page: Page): Promise<void> {
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
}

async function found(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").first().fill("harbour");
  await page
    .getByRole("option", { name: /Harbour guide/ })
    .first()
    .waitFor();
}

type Json = Record<string, unknown>;

function row(...nodes: Json[]): Json {
  const ids = nodes.map((node) => node["id"]);
  const edges = ids.slice(1).map((id, at) => ({ sourceNodeID: ids[at], targetNodeID: id }));
  return { nodes, edges };
}

function node(id: string, type: string, title: string, inputs: Json, outputs: Json[] = []): Json {
  return { id, type, data: { nodeMeta: { title }, inputs, outputs } };
}

const START = node("100001", "1", "Start", {}, [{ name: "route", type: "string" }]);
const END = node("900001", "2", "End", { terminatePlan: "returnVariables", inputParameters: [] });

function literal(name: string, content: string): Json {
  return { name, input: { type: "string", value: { type: "literal", content } } };
}

function caller(): Json {
  const model = [literal("modelType", "1706077826"), literal("modleName", "ferry-large")];
  const sets = [{ name: "datasetList", input: { value: { type: "literal", content: ["55"] } } }];
  return row(
    START,
    node("110001", "6", "Search Timetables", { inputParameters: [], datasetParam: sets }),
    node("110002", "9", "Prices of the day", {
      workflowId: "471100",
      workflowVersion: "v1.0.0",
      inputParameters: [],
      type: 0,
    }),
    node("110003", "3", "Write the answer", {
      inputParameters: [],
      llmParam: [...model, literal("prompt", "Name the fare for {{route}}.")],
    }),
    END,
  );
}

function called(): Json {
  return row(START, END);
}
