import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The browser of the tests: `CONSOLE_BROWSER`, else one on the path; without any they fail. */
export function browserProgram(): string {
  const given = process.env["CONSOLE_BROWSER"];
  if (given) return given;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(
    isProgram,
  );
  if (found) return found;
  throw new Error(
    "There is no Chromium: install one (Debian: apt-get install chromium fonts-noto-cjk), or name it in CONSOLE_BROWSER.",
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
