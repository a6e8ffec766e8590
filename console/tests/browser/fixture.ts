import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import AxeBuilder from "@axe-core/playwright";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { type Server, startServer } from "./server";
import { startUpstream, type Upstream } from "./upstream";

type Own = {
  /** Signed in, English, light; nothing is open yet, for tests that open something else at once. */
  signedIn: Page;
  /** The same at the list of agents. */
  console: Page;
  /** Fails the test on whatever a page does that it must not. */
  watched: undefined;
  /** Answers of which browsers complain, and which are no mistake of the page. */
  refusals: RegExp;
};

/** What browsers say besides where a test keeps the server from answering. */
export const UNANSWERED = /status of 4|net::ERR_FAILED/;

/** Tests of the console in a real browser, in front of a real server. */
export const test = base.extend<Own, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  baseURL: async ({ server }, use) => use(server.url),
  refusals: [/status of 4/, { option: true }],
  watched: [
    async ({ context, server, refusals }, use) => {
      const wrong = watch(context, server.url, refusals);
      await use(undefined);
      expect(wrong).toEqual([]);
    },
    { auto: true },
  ],
  signedIn: async ({ context, page, server }, use) => {
    await signIn(context, server);
    await use(page);
  },
  console: async ({ signedIn, server }, use) => {
    await openAgents(signedIn, server);
    await use(signedIn);
  },
});

export { expect };

/** Themes and languages that a screen is looked at in; CONSOLE_LONG takes every pair of them. */
export const LOOKS = process.env["CONSOLE_LONG"]
  ? (["light", "dark"] as const).flatMap((theme) =>
      (["en", "zh"] as const).map((language) => ({ theme, language })),
    )
  : ([{ theme: "dark", language: "zh" }] as const);

/** The same, with a server that nobody but the tests of one file has seen or may kill. */
export function testApart() {
  return test.extend<object>({
    server: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
      async ({}, use) => {
        const server = await startServer();
        await use(server);
        await server.stop();
      },
      { scope: "worker", timeout: 180_000 },
    ],
  });
}

/**
 * The same, in front of a workspace with what the tests of one file need, made by the first of them.
 * Fixtures of workers would do it too, but each of their kinds has a browser and a server of its own.
 */
export function testIn<World extends object>(
  prepare: (server: Server, upstream: Upstream) => Promise<World>,
) {
  type Prepared = World & { server: Server; upstream: Upstream };
  let prepared: Promise<Prepared> | undefined;
  const begin = async (found: Server): Promise<Prepared> => {
    const upstream = await startUpstream();
    const body = { name: "Prepared" };
    const { id } = await found.call<{ id: string }>("POST", "/admin/v1/workspaces", body);
    const server = { ...found, workspaceId: id };
    return { ...(await prepare(server, upstream)), server, upstream };
  };
  const own = test.extend<{ world: Prepared }>({
    world: async ({ server }, use) => {
      prepared ??= begin(server);
      await use(await prepared);
    },
    signedIn: async ({ context, page, world }, use) => {
      await signIn(context, world.server);
      await use(page);
    },
    console: async ({ signedIn, world }, use) => {
      await openAgents(signedIn, world.server);
      await use(signedIn);
    },
  });
  own.afterAll(async () => {
    if (prepared) await (await prepared).upstream.stop();
  });
  return own;
}

async function openAgents(page: Page, server: Server): Promise<void> {
  await page.goto(`/console/w/${server.workspaceId}/agents`);
  // Behind the heading, whichever agent it is: long lists hold only what can be seen.
  await expect(page.getByRole("row").nth(1)).toBeVisible();
}

/** Begins a session without the page of it. */
export async function signIn(context: BrowserContext, server: Server): Promise<void> {
  const answer = await context.request.post(`${server.url}/admin/v1/auth/token`, {
    headers: { Origin: server.url, "Sec-Fetch-Site": "same-origin" },
    data: { token: server.token, remember: false },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

/** Language and theme as a person has chosen them before. */
export async function prefer(
  context: BrowserContext,
  server: Server,
  language: string,
  theme: string,
): Promise<void> {
  await context.addCookies([
    { name: "coterie_ui", value: `${language}.${theme}`, url: server.url },
  ]);
}

/** What a page must not do: fail, complain, break its policy, ask others, open dialogs. */
function watch(context: BrowserContext, origin: string, refusals: RegExp): string[] {
  const wrong: string[] = [];
  context.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith("http") && asked !== origin) wrong.push(`asks ${request.url()}`);
    if (request.url().endsWith("/csp-reports")) wrong.push(`reports ${request.postData() ?? ""}`);
  });
  context.on("weberror", (error) => wrong.push(`fails: ${error.error().message}`));
  context.on("dialog", (dialog) => {
    wrong.push(`opens a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("console", (message) => {
    if (message.type() === "error" && !refusals.test(message.text()))
      wrong.push(`complains: ${message.text()}`);
  });
  return wrong;
}

/** The rules of accessibility as their library asks them; as text, they go into pages. */
const RULES = createRequire(import.meta.resolve("@axe-core/playwright")).resolve(
  "axe-core/axe.min.js",
);
const rules = readFile(RULES, "utf8");

/** Nothing that the rules of accessibility name, of whatever weight; frames are other pages. */
export async function expectAccessible(page: Page, without?: string): Promise<void> {
  // A page that is not drawn yet has neither, on a busy machine.
  await expect(page.locator("h1").first()).toBeAttached();
  // The library would send them twice for each look, three megabytes; a page keeps them until it ends.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(await rules);
  const axe = new AxeBuilder({ page, axeSource: "0" });
  const { violations } = await (without ? axe.exclude(without) : axe)
    // Nothing is read of what passes, and gathering it takes most of the time.
    .options({ resultTypes: ["violations"], elementRef: false })
    .setLegacyMode()
    .withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`,
  );
  expect(found).toEqual([]);
}
