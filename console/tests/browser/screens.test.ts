import type { Page } from "@playwright/test";
import { pathOf, SCENES } from "../scenes/scenes";
import { startWorld, type World } from "../scenes/world";
import { test as base, expect, expectAccessible, LOOKS, prefer, signIn } from "./fixture";

const test = base.extend<object, { world: World }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
    async ({}, use) => {
      const world = await startWorld();
      await use(world);
      await world.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
  server: [async ({ world }, use) => use(world.server), { scope: "worker" }],
});

/** One of each layout; the journeys of the other files try what is on the way of each. */
const SHORT = [
  "home",
  "agents",
  "workbench",
  "workflows",
  "canvas-small",
  "base",
  "document-pdf",
  "tool",
  "database",
  "trace",
  "usage",
  "settings-members",
  "models",
  "audit",
  "account",
  "not-found",
];

/** CONSOLE_LONG takes every screen. */
const SCREENS = SCENES.filter(
  (each) =>
    !each.isPublic &&
    !each.prepare &&
    (process.env["CONSOLE_LONG"] !== undefined || SHORT.includes(each.name)),
);

for (const { theme, language } of LOOKS) {
  test(`every screen of a full workspace is accessible, ${theme} and in ${language}`, async ({
    context,
    page,
    world,
  }) => {
    test.setTimeout(400_000);
    await prefer(context, world.server, language, theme);
    await signIn(context, world.server);
    for (const scene of SCREENS) {
      await page.goto(`/${pathOf(scene, world)}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.locator("[aria-busy=true], [data-skeleton]")).toHaveCount(0);
      await test.step(scene.name, async () => {
        await expectAccessible(page, "iframe");
        await expectFocusSeen(page);
        await expectWholeLists(page);
        if (language === "zh") expect(await english(page), scene.name).toEqual([]);
      });
    }
  });
}

const STEPS = 24;

/** The first steps of Tab from the start of the page: each can be seen, and has a name. */
async function expectFocusSeen(page: Page): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    await page.keyboard.press("Tab");
    const found = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body || element.tagName === "IFRAME") return undefined;
      const box = element.getBoundingClientRect();
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      const name = [
        element.getAttribute("aria-label"),
        element.getAttribute("aria-labelledby"),
        element.textContent,
        ...labels.map((label) => label.textContent),
        element.getAttribute("placeholder"),
      ].join("");
      return {
        what: element.outerHTML.slice(0, 120),
        isNamed: name.trim() !== "",
        isSeen: box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0,
      };
    });
    if (!found) return;
    expect(found).toMatchObject({ isNamed: true, isSeen: true });
  }
}

const WINDOWS = [1280, 1440];

/** Lists leave columns out in small windows; none is scrolled sideways to its last one. */
async function expectWholeLists(page: Page): Promise<void> {
  const lists = page.locator("[role=grid]:has(> [role=rowgroup])");
  if ((await lists.count()) === 0) return;
  for (const width of WINDOWS) {
    await page.setViewportSize({ width, height: 900 });
    const hidden = await lists.evaluateAll((all) =>
      all.map((each) => each.scrollWidth - each.clientWidth),
    );
    expect(hidden, `${width} px wide`).toEqual(hidden.map(() => 0));
  }
}

/** Words of our own that are no Chinese; names, code and what people wrote are left out. */
async function english(page: Page): Promise<string[]> {
  const own = "main h1, main h2, main h3, main label, main button, [role=tab], [role=columnheader]";
  const all = await page
    .locator(own)
    .evaluateAll((elements) =>
      elements
        .filter((each) => !each.closest("[role=row] td, [role=gridcell], article, [lang], code"))
        .map((each) => each.textContent?.trim() ?? ""),
    );
  return [...new Set(all)].filter(
    (text) => /[a-z]{3}/i.test(text) && !/\p{Script=Han}/u.test(text) && !isName(text),
  );
}

const NAMES =
  /^(Harbour|Order desk|Announcer|Crew|Kestrel|Passenger|Timetable|Sea state|Editor guide|Greeting|Refund|Check every|Fetch the|Luggage|Animals|Old price|When does|May I|Calm tone|bookings|lost_property|get_|passenger|seats|departure|paid|offline|planned|stall|error-key|Admin|Grace|Tom|English|New$|Personal|First token|Top|JSON|SQL|CSV|Markdown|GET|POST|Ctrl|URL|MCP|OpenAPI|curl|Logit|HTTP|Calls|en$)/;

function isName(text: string): boolean {
  return NAMES.test(text);
}
