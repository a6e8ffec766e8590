import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(js|css|md|svg|txt)$/;
/** What fits into two packets, which travel together, arrives no sooner compressed. */
const SMALLEST = 2800;

/** Writes each text file compressed beside itself: the server compresses nothing. */
export function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    enforce: "post",
    writeBundle(options) {
      const folder = options.dir ?? "dist";
      for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const path = join(folder, entry);
        if (!TEXT.test(entry) || existsSync(`${path}.br`)) continue;
        const content = readFileSync(path);
        if (content.length < SMALLEST) continue;
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
