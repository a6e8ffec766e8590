import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { type BuildEnvironmentOptions, defineConfig, type UserConfig } from "vite";
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

/** Of the controls, what menus and dialogs rest on too: lists load those when somebody opens one. */
const FLOATING =
  /FloatingFocusManager|useListNavigation|useTypeahead|useTriggerSwitchTransition|floating-ui-react\/utils\/|internals\/composite/;

/** What controls of several parts rest on: lists have none before somebody opens one. */
const COMPOSED = /@base-ui\/react\/internals\/(composite|resolveValueLabel|filter)/;

/** Folders of controls that come in a file with what they rest on. */
const FORMS =
  /src\/ui\/(checkbox|field|select|switch|number|slider|radio-cards|tabs|splitter|popover|combobox|text-area|text-field)\//;

const CHAT = /\/src\/(chat|stream|playground)\//;
const MENU = /@base-ui\/react\/menu/;

/**
 * Few files instead of many small ones. What nearly every screen needs comes in two; controls,
 * icons and the chat in one each, or a screen that is full of them would fetch a file for each.
 * What the entry loads stays with it: a screen's parts must not come with the first page.
 */
const GROUPS = [
  {
    name: "base",
    priority: 7,
    test: (id: string) => BASE.test(id) && !SELDOM.test(id),
  },
  {
    name: "shared",
    minShareCount: 10,
    priority: 6,
    test: (id: string) => !LATER.test(id) && !CONTROLS.test(id) && !COMPOSED.test(id),
  },
  { name: "first", tags: ["$initial" as const], priority: 5 },
  { name: "floating", minShareCount: 4, priority: 4, test: FLOATING },
  {
    name: "controls",
    minShareCount: 4,
    priority: 3,
    test: (id: string) => FORMS.test(id) || (CONTROLS.test(id) && !CHAT.test(id) && !MENU.test(id)),
  },
  { name: "icons", minShareCount: 3, priority: 2, test: /lucide-react/ },
  { name: "chat", minShareCount: 2, priority: 1, test: CHAT },
];

const TARGETS = ["chrome123", "firefox120", "safari17.5"];

/**
 * In browsers it would read names of characters (`&nbsp;`) by writing HTML, which the policy of the
 * pages forbids: an answer with one would break the chat. This one has a table.
 */
const CHARACTERS = {
  find: "decode-named-character-reference",
  replacement: fileURLToPath(
    import.meta.resolve("decode-named-character-reference").replace("index.dom.js", "index.js"),
  ),
};

/** Parts that write Markdown, or know of SVG in it, which nothing here does. */
const UNUSED = [
  { find: "mdast-util-to-markdown", by: "no-writer" },
  { find: "markdown-table", by: "no-writer" },
  { find: /^\.\/lib\/svg\.js$/, by: "no-svg" },
].map(({ find, by }) => ({
  find,
  replacement: fileURLToPath(new URL(`src/chat/markdown/${by}.ts`, import.meta.url)),
}));

/** Controls that the chat page has by the browser's own means: it must be small. */
const LIGHT = ["tooltip/tooltip", "popover/popover", "dialog/side-sheet"].map((name) => ({
  find: new RegExp(`^.*/${name}$`),
  replacement: fileURLToPath(
    new URL(`src/ui/light/${name.replace(/.*\//, "")}.tsx`, import.meta.url),
  ),
}));

/** What both pages are built with. */
const COMMON: UserConfig = {
  base: "/console/",
  resolve: { alias: [CHARACTERS, ...UNUSED] },
  css: {
    transformer: "lightningcss",
    lightningcss: { cssModules: { pattern: "[hash]_[local]" } },
  },
};
const PAGE: BuildEnvironmentOptions = {
  target: TARGETS,
  cssTarget: TARGETS,
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
};

const CONSOLE: UserConfig = {
  ...COMMON,
  plugins: [react(), filledIn(), layered(), licences(), compressed()],
  build: {
    ...PAGE,
    manifest: true,
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
};

/** The chat page of share links, with chunks of its own: it loads nothing of the console. */
const SHARE: UserConfig = {
  ...COMMON,
  resolve: { alias: [CHARACTERS, ...UNUSED, ...LIGHT] },
  plugins: [react(), layered(), compressed()],
  build: {
    ...PAGE,
    emptyOutDir: false,
    manifest: ".vite/share.json",
    rolldownOptions: { input: "share.html" },
  },
};

/** The script for other sites: one file for older browsers too, which leaves no name behind. */
const EMBED: UserConfig = {
  plugins: [compressed()],
  build: {
    target: "es2020",
    emptyOutDir: false,
    reportCompressedSize: false,
    modulePreload: false,
    rolldownOptions: {
      input: "src/embed/embed.ts",
      output: { format: "iife", entryFileNames: "embed.js" },
    },
  },
};

/** By mode: `share` and `embed` add theirs to the folder of the console. */
export default defineConfig(({ mode }) => {
  if (mode === "share") return SHARE;
  return mode === "embed" ? EMBED : CONSOLE;
});
