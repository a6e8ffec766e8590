import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { prefer, signIn } from "../browser/fixture";
import { KEY_SCENES, pathOf, SCENES, type Scene } from "./scenes";
import { startWorld, type World } from "./world";

const FOLDER = join(import.meta.dirname, "../../../dist/scenes");
/** Which pictures: by a pattern for their names, like `canvas` or `desktop.light.en`. */
const CHOSEN = new RegExp(process.env["SCENES"] ?? "");
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SIZES = { desktop: DESKTOP, phone: PHONE } as const;
const THEMES = ["light", "dark"] as const;
const LANGUAGES = ["en", "zh"] as const;
/** How long after its things were made the world is looked at: no relative time tells the runs apart. */
const LATER_MS = 2 * 3_600_000;

const ALL: readonly string[] = LANGUAGES;

let world: World;
let seenAt: number;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  world = await startWorld();
  seenAt = Date.now() + LATER_MS;
  await mkdir(FOLDER, { recursive: true });
});

test.afterAll(async () => {
  await world.stop();
  await index();
});

for (const scene of SCENES.filter(({ name }) => shapes(name, ALL).length > 0)) {
  test(scene.name, async ({ browser }) => {
    test.setTimeout(180_000);
    for (const language of LANGUAGES) {
      if (shapes(scene.name, [language]).length === 0) continue;
      const context = await browser.newContext({
        baseURL: world.server.url,
        viewport: DESKTOP,
        locale: language === "en" ? "en-US" : "zh-CN",
        timezoneId: "UTC",
        reducedMotion: "reduce",
      });
      await pictures(context, scene, language);
      await context.close();
    }
  });
}

type Shape = { size: keyof typeof SIZES; theme: (typeof THEMES)[number]; file: string };

/** The pictures that are asked for of a scene in these languages. */
function shapes(name: string, languages: readonly string[]): Shape[] {
  const all = (["desktop", "phone"] as const).flatMap((size) =>
    THEMES.flatMap((theme) =>
      languages.map((language) => ({
        size,
        theme,
        file: `${name}.${size}.${theme}.${language}.png`,
      })),
    ),
  );
  return all.filter(({ file }) => CHOSEN.test(file));
}

async function pictures(context: BrowserContext, scene: Scene, language: string): Promise<void> {
  await prefer(context, world.server, language, "light");
  if (!scene.isPublic) await signIn(context, world.server);
  for (const size of ["desktop", "phone"] as const) {
    const wanted = shapes(scene.name, [language]).filter((each) => each.size === size);
    if (wanted.length === 0) continue;
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await page.clock.setFixedTime(seenAt);
    await page.setViewportSize(SIZES[size]);
    await page.goto(`/${pathOf(scene, world)}`);
    await settled(page);
    await scene.prepare?.(page, world).catch((error: unknown) => {
      // What a phone leaves out on purpose it cannot be led into.
      if (size === "desktop") throw error;
    });
    if (!scene.isLoading) await settled(page);
    for (const { theme, file } of wanted) {
      await page.evaluate((name) => {
        document.documentElement.classList.remove("light", "dark", "system");
        document.documentElement.classList.add(name);
      }, theme);
      const picture = await page.screenshot({
        path: join(FOLDER, file),
        animations: "disabled",
        caret: "hide",
      });
      // A change of look is a change that somebody has looked at.
      if (KEY_SCENES.has(scene.name) && file.endsWith(".desktop.light.en.png"))
        expect.soft(picture).toMatchSnapshot(`${scene.name}.png`, { maxDiffPixelRatio: 0.002 });
    }
    await page.close();
  }
}

/** Everything that was asked for is here, and the letters are those of the product. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole("heading").first()).toBeVisible();
  await expect(page.locator("[aria-busy=true]:not(article), [data-skeleton]")).toHaveCount(0);
  await page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => undefined);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
}

/** A page that shows what was made, scene by scene. */
async function index(): Promise<void> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".png")).sort();
  const rows = SCENES.map(({ name }) => {
    const own = files.filter((file) => file.startsWith(`${name}.`));
    const shown = own.map(
      (file) => `<a href="${file}"><img loading="lazy" alt="${file}" src="${file}"></a>`,
    );
    return `<h2>${name}</h2>\n${shown.join("\n")}`;
  });
  const style =
    "body{font:14px sans-serif;margin:24px}img{height:240px;margin:4px;border:1px solid #bbb}";
  await writeFile(
    join(FOLDER, "index.html"),
    `<!doctype html><meta charset="utf-8"><title>Scenes</title><style>${style}</style>\n${rows.join("\n")}\n`,
  );
}
