import { defineConfig } from "@playwright/test";

/** make console-test finds one; who starts Playwright by hand reads of it in the error. */
const BROWSER = process.env["CONSOLE_BROWSER"] ?? "CONSOLE_BROWSER is not set";

const IS_ROOT = process.getuid?.() === 0;

export default defineConfig({
  testDir: ".",
  testMatch: "*.test.ts",
  outputDir: "../../dist/test-results",
  fullyParallel: false,
  // Each has a server of its own, and waits more than it computes.
  workers: 2,
  forbidOnly: true,
  reporter: "line",
  timeout: 120_000,
  expect: { timeout: 60_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: "reduce" },
    locale: "en-US",
    launchOptions: {
      executablePath: BROWSER,
      args: IS_ROOT ? ["--no-sandbox"] : [],
    },
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
  },
});
