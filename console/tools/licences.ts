import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "OFL-1.1",
  "Unlicense",
]);
const TEXT_NAME = /^(licen[cs]e|copying)([.-].*)?$/i;
const NOTICE_NAME = /^notice(\..*)?$/i;

type Package = { name: string; version: string; license: string; folder: string };

/** Lists what is in the bundle with its licences; an unknown licence fails the build. */
export function licences(): Plugin {
  return {
    name: "licences",
    apply: "build",
    generateBundle() {
      const found = new Map<string, Package>();
      for (const id of this.getModuleIds()) {
        const each = packageOf(id);
        if (each) found.set(`${each.name}@${each.version}`, each);
      }
      const sorted = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      const refused = sorted.filter((each) => !ALLOWED.has(each.license));
      if (refused.length > 0) {
        const names = refused.map((each) => `${each.name} (${each.license || "none"})`);
        this.error(`Licences that may not be in the bundle: ${names.join(", ")}`);
      }
      const source = described(sorted).join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "third-party.txt", source });
    },
  };
}

/** Finds the package that a module belongs to: the nearest `package.json` with a version. */
function packageOf(id: string): Package | undefined {
  const path = id.replace(/^\0+/, "").split("?")[0] ?? "";
  if (!path.includes("/node_modules/")) return undefined;
  for (let folder = dirname(path); folder.includes("/node_modules/"); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (!existsSync(file)) continue;
    const { name, version, license } = JSON.parse(readFileSync(file, "utf8"));
    if (name && version) return { name, version, license: license ?? "", folder };
  }
  return undefined;
}

/** Says each text once, below all packages that have it: those of one author have the same. */
function described(packages: readonly Package[]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, version, license, folder } of packages) {
    const texts = readdirSync(folder)
      .filter((file) => TEXT_NAME.test(file) || NOTICE_NAME.test(file))
      .sort()
      .map((file) => readFileSync(join(folder, file), "utf8").trim());
    const said = texts.join("\n\n");
    names.set(said, [...(names.get(said) ?? []), `${name} ${version} (${license})`]);
  }
  return [...names].map(([said, of]) => [of.join("\n"), said, ""].join("\n\n"));
}
