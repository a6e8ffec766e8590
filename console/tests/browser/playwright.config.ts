import { defineConfig } from "@playwright/test";
import { browserProgram } from "./browser";

const IS_ROOT = process.getuid?.() === 0;

export default defineConfig({
  testDir: ".",
  testMatch: "*.test.ts",
  outputDir: "../../dist/test-results",
  fullyParallel: false,
  workers: 1,
  forbidOnly: true,
  reporter: "line",
  timeout: 120_000,
  expect: { timeout: 60_000 },
  use: {
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: "reduce" },
    locale: "en-US",
    launchOptions: {
      executablePath: browserProgram(),
      args: IS_ROOT ? ["--no-sandbox"] : [],
    },
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
  },
});
