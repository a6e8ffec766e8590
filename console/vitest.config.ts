import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  css: { transformer: "lightningcss" },
  test: {
    css: { modules: { classNameStrategy: "non-scoped" } },
    environmentOptions: { happyDOM: { url: "http://127.0.0.1:8000/console/" } },
    restoreMocks: true,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: "plain",
          environment: "node", // a file that needs a document says so in its first line
          // One world for each worker: a process for each file takes three times the processor.
          pool: "threads",
          isolate: false,
          include: ["src/**/*.test.ts", "tests/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "drawn",
          // A document for each worker: making one for each file takes half of the time.
          pool: "vmThreads",
          environment: "happy-dom",
          include: ["src/**/*.test.tsx"],
          setupFiles: ["tests/setup.ts"],
        },
      },
    ],
  },
});
