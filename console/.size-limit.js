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

function files(chunks, kind) {
  const names = [...chunks].flatMap((chunk) =>
    kind === "css" ? (chunk.css ?? []) : [chunk.file].filter((file) => file.endsWith(".js")),
  );
  return [...new Set(names)].map((name) => `${BUNDLE}/${name}`);
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

export default [
  ...SCREENS.flatMap((name) => [
    { name: `script of ${name}`, path: files(added(name), "js"), limit: "35 kB", gzip: true },
    { name: `first paint of ${name}`, path: files(first(name), "js"), limit: "200 kB", gzip: true },
    { name: `style of ${name}`, path: files(first(name), "css"), limit: "25 kB", gzip: true },
  ]),
];
