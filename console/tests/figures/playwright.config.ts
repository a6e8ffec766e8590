import { defineConfig } from "@playwright/test";
import shared from "../browser/playwright.config";

/** Speed of the console, one figure after the other; it wants an idle machine. */
export default defineConfig({
  ...shared,
  testDir: ".",
  outputDir: "../../dist/test-results/figures",
  workers: 1,
  timeout: 600_000,
});
