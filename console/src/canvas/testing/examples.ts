import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../../../tests/fixtures/workflow");

export type Example = { readonly name: string; readonly text: string };

/** The example canvases that the server's tests run too. */
export const EXAMPLES: readonly Example[] = readdirSync(FOLDER)
  .filter((name) => /^ex.*\.json$/.test(name) && !name.includes(".case."))
  .sort()
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), "utf8") }));

export function example(part: string): string {
  const found = EXAMPLES.find((each) => each.name.includes(part));
  if (!found) throw new Error(`No example ${part}`);
  return found.text;
}
