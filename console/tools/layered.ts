import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

const ORDER = readFileSync(new URL("../src/style/layers.css", import.meta.url), "utf8").trim();

/**
 * The order of the layers at the beginning of each style sheet: whichever is applied first decides
 * it, and that is not the one of the entry where screens share a file.
 */
export function layered(): Plugin {
  return {
    name: "layered",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === "asset" && file.fileName.endsWith(".css")) {
            file.source = `${ORDER}${file.source.toString()}`;
          }
        }
      },
    },
  };
}
