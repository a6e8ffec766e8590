/**
 * The top-level blocks of a Markdown text that is still being written. Joined they are the text;
 * and all but the last one stay as they are whatever is appended, so that they are parsed once.
 */
export function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let begun = 0;
  let fence = "";
  let isList = false;
  let isAfterBlank = false;
  let at = 0;
  while (at < text.length) {
    const end = text.indexOf("\n", at);
    const isWhole = end >= 0;
    const next = isWhole ? end + 1 : text.length;
    const line = text.slice(at, isWhole ? end : next);
    const isBlank = line.trim() === "";
    if (fence) {
      if (isWhole && closes(line, fence)) fence = "";
    } else if (isBlank) {
      isAfterBlank ||= isWhole && at > begun;
    } else {
      if (isAfterBlank && begins(line, isList, isWhole)) {
        blocks.push(text.slice(begun, at));
        begun = at;
        isList = false;
      }
      if (at === begun || isAfterBlank) isList ||= LIST.test(line);
      fence = opened(line, isWhole);
      isAfterBlank = false;
    }
    at = next;
  }
  if (begun < text.length) blocks.push(text.slice(begun));
  return blocks;
}

const LIST = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;
const FENCE = /^ {0,3}(`{3,}|~{3,}|\$\$|\\\[)/;
/** What ends what begins with a sign of formulas. */
const END: Readonly<Record<string, string>> = { $$: "$$", "\\[": "\\]" };
/** Beginnings that no further letter turns into a list, a quote or an indented line. */
const PLAIN = /^[\p{L}_"'(“‘「《]/u;

/** Whether a line after a blank one begins a block, for certain. */
function begins(line: string, isList: boolean, isWhole: boolean): boolean {
  if (/^[ \t]/.test(line)) return false;
  if (!isList) return true;
  return isWhole ? !LIST.test(line) : PLAIN.test(line);
}

function opened(line: string, isWhole: boolean): string {
  const mark = FENCE.exec(line)?.[1] ?? "";
  if (!isWhole || !mark) return "";
  const rest = line.trim().slice(mark.length);
  const end = END[mark];
  const isOneLine = end ? rest.includes(end) : mark[0] === "`" && rest.includes("`");
  return isOneLine ? "" : mark;
}

function closes(line: string, fence: string): boolean {
  const trimmed = line.trim();
  const sign = fence[0] ?? "";
  const end = END[fence];
  if (end) return trimmed.endsWith(end);
  return trimmed.length >= fence.length && [...trimmed].every((char) => char === sign);
}
