import { readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(js|css|md|svg|txt)$/;
/** What fits into two packets, which travel together, arrives no sooner compressed. */
const SMALLEST = 2800;

/**
 * Puts two compressed forms in the place of each text file: the server compresses nothing, and
 * whoever takes neither form gets the second one unpacked.
 */
export function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    enforce: "post",
    writeBundle(options) {
      const folder = options.dir ?? "dist";
      for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
        const path = join(folder, entry);
        if (!TEXT.test(entry)) continue;
        const content = readFileSync(path);
        if (content.length < SMALLEST) continue;
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        unlinkSync(path);
      }
    },
  };
}
