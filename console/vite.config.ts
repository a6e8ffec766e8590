import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressed } from "./tools/compressed.ts";
import { filledIn } from "./tools/filled-in.ts";
import { layered } from "./tools/layered.ts";
import { licences } from "./tools/licences.ts";

const server = process.env["CONSOLE_SERVER"] ?? "http://127.0.0.1:8000";

/** What comes when it is wanted, though several screens want it. */
const LATER =
  /dialog|autocomplete|combobox|confirm|toast|sheet|text-area|name-dialog|src\/ui\/menu\/opened|src\/ui\/(checkbox|field|select|switch|number|slider|radio-cards|tabs|splitter|popover|json-view|file)\//i;

/** Controls of forms and what they rest on: the lists do not load them. */
const CONTROLS =
  /src\/(chat|stream)\/|@base-ui\/react\/(menu|menubar|checkbox|select|combobox|switch|number-field|slider|popover|tabs|field|fieldset|form)\/|floating-ui-react\/(components\/FloatingFocusManager|hooks\/(useListNavigation|useTypeahead)|utils\/(composite|markOthers|tabbable|enqueueFocus))|@base-ui\/react\/internals\/(field|labelable|form|resolveValueLabel|itemEquality)/;

/** What every screen runs on. */
const BASE =
  /node_modules\/(react\/|react-dom\/|scheduler\/|openapi-fetch\/|@tanstack\/(?!react-virtual|virtual))/;

/** Parts of those libraries that few screens use. */
const SELDOM = /useQueries|queriesObserver|useBlocker/;

/** Few files instead of many small ones: what nearly every screen needs comes in two. */
const GROUPS = [
  {
    name: "base",
    priority: 2,
    test: (id: string) => BASE.test(id) && !SELDOM.test(id),
  },
  {
    name: "shared",
    minShareCount: 10,
    priority: 1,
    test: (id: string) => !LATER.test(id) && !CONTROLS.test(id),
  },
];

export default defineConfig({
  base: "/console/",
  plugins: [react(), filledIn(), layered(), licences(), compressed()],
  resolve: {
    alias: {
      // In browsers it would read names of characters (`&nbsp;`) by writing HTML, which the policy of
      // the console forbids: an answer with one would break the chat. This one has a table.
      "decode-named-character-reference": fileURLToPath(
        import.meta.resolve("decode-named-character-reference").replace("index.dom.js", "index.js"),
      ),
    },
  },
  css: {
    transformer: "lightningcss",
    lightningcss: { cssModules: { pattern: "[hash]_[local]" } },
  },
  build: {
    target: ["chrome123", "firefox120", "safari17.5"],
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: GROUPS } },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      "^/(?!console/|console$)": { target: server, changeOrigin: true },
    },
  },
});
