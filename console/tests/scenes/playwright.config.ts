import { defineConfig } from "@playwright/test";
import shared from "../browser/playwright.config";

/** Pictures of every screen, into dist/scenes; SCENES narrows them by a part of their names. */
export default defineConfig({
  ...shared,
  testDir: ".",
  outputDir: "../../dist/test-results/scenes",
  workers: 1,
  timeout: 1_800_000,
  snapshotPathTemplate: "{testDir}/references/{arg}{ext}",
});
