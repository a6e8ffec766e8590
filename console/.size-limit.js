import { existsSync, readFileSync } from "node:fs";

const BUNDLE = "../src/api/console/bundle";
const MANIFEST = `${BUNDLE}/.vite/manifest.json`;
const SCREENS = [
  "agents",
  "workflows",
  "knowledge",
  "plugins",
  "databases",
  "prompts",
  "runs",
  "models",
];

/** Everything that a module loads with it, as the bundler's manifest has it. */
function graph(manifest, key, found = new Set()) {
  const chunk = manifest[key];
  if (!chunk || found.has(chunk)) return found;
  found.add(chunk);
  for (const imported of chunk.imports ?? []) graph(manifest, imported, found);
  return found;
}

/** The form that travels: what is not small stands compressed in the bundle. */
function sent(name) {
  const packed = `${BUNDLE}/${name}.gz`;
  return existsSync(packed) ? packed : `${BUNDLE}/${name}`;
}

function files(chunks, kind) {
  const names = [...chunks].flatMap((chunk) =>
    kind === "css" ? (chunk.css ?? []) : [chunk.file].filter((file) => file.endsWith(".js")),
  );
  return [...new Set(names)].map(sent);
}

const manifest = existsSync(MANIFEST) ? JSON.parse(readFileSync(MANIFEST, "utf8")) : {};
const entry = graph(manifest, "index.html");
const first = (name) => {
  const keys = ["index.html", `src/features/${name}/route.tsx`];
  const texts = ["shell", "ui", "session", `features/${name}`].map((at) => `src/${at}/text.en.ts`);
  return [...keys, ...texts].reduce((all, key) => graph(manifest, key, all), new Set());
};
const added = (name) =>
  new Set(
    [...graph(manifest, `src/features/${name}/route.tsx`)].filter((each) => !entry.has(each)),
  );

const SHARE = `${BUNDLE}/.vite/share.json`;
const share = existsSync(SHARE) ? JSON.parse(readFileSync(SHARE, "utf8")) : {};
const chat = ["share", "chat", "ui"].reduce(
  (all, part) => graph(share, `src/${part}/text.en.ts`, all),
  graph(share, "share.html"),
);
const before = files(chat, "js");
const whole = ["chat/said.tsx", "chat/long-turns.tsx", "share/history.tsx"].reduce(
  (all, name) => graph(share, `src/${name}`, all),
  chat,
);

export default [
  { name: "script of the chat page", path: before, limit: "100 kB", gzip: false },
  { name: "all of the chat page", path: files(whole, "js"), limit: "155 kB", gzip: false },
  { name: "style of the chat page", path: files(whole, "css"), limit: "25 kB", gzip: false },
  { name: "script for other sites", path: sent("embed.js"), limit: "12 kB", gzip: false },
  ...SCREENS.flatMap((name) => [
    { name: `script of ${name}`, path: files(added(name), "js"), limit: "35 kB", gzip: false },
    {
      name: `first paint of ${name}`,
      path: files(first(name), "js"),
      limit: "200 kB",
      gzip: false,
    },
    { name: `style of ${name}`, path: files(first(name), "css"), limit: "25 kB", gzip: false },
  ]),
];
