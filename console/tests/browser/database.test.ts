import { startDatabase } from "./database";
import { expect, test as shared, signIn } from "./fixture";
import { startServer } from "./server";

/** What the server says of a database that it misses: shown where a test fails, and only there. */
const logged: string[] = [];

type Fragile = { database: Awaited<ReturnType<typeof startDatabase>> };

const test = shared.extend<object, Fragile>({
  database: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
    async ({}, use) => {
      const database = await startDatabase();
      await use(database);
      await database.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  server: [
    async ({ database }, use) => {
      const environ = {
        COTERIE_DATABASE__URL: database.url,
        // Whoever is signed in stays known while the database is silent.
        COTERIE_LIMITS__AUTH_CACHE_S: "600",
      };
      const server = await startServer(environ, (text) => logged.push(text));
      await use(server);
      await server.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
});

// A server without its database refuses.
test.use({ refusals: /status of (4|503)/ });

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures here
test.afterEach(async ({}, info) => {
  if (info.status !== info.expectedStatus)
    await info.attach("server.log", { body: logged.join("") });
});

/** How long people may wait until they are told that the database is away. */
const TOLD_MS = 5000;
/** The machine of the tests has more to do. */
const ALLOWANCE = 2;

test("a database that falls silent is told of, and told to be well again", async ({
  page,
  context,
  server,
  database,
}) => {
  await signIn(context, server);
  await page.goto("/console/operations");
  const part = page.locator('[data-part="database"]');
  await expect(part).toContainText("Works");
  database.setSilent(true);
  try {
    await expect(part).toContainText("Fails", { timeout: TOLD_MS * ALLOWANCE });
    await expect(part).toContainText(/does not answer|no answer in time/);
  } finally {
    database.setSilent(false);
  }
  await expect(part).toContainText("Works");
});
