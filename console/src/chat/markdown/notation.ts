/**
 * Formulas and marks of sources in a Markdown block, rewritten so that a reader of plain Markdown
 * leaves them whole. A formula becomes a code span, in which no sign means anything, that begins
 * and ends with one of these: Unicode keeps both out of texts (noncharacters, chapter 23.7).
 */
const INLINE = "\uFDD0";
const DISPLAY = "\uFDD1";

/** Where a link to a source leads, before its number. */
export const SOURCE = "#source-";

export type Formula = { tex: string; isDisplay: boolean };

/** What may stand before the content of a line: signs of quotes, lists and indentation. */
const LEAD = "[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)?";
/** A formula within a line is short: an opening sign without an end is not sought for long. */
const NO_BLANK = "(?:[^\\n]|\\n(?![ \\t]*\\n)){1,1000}?";

/**
 * The first of these at each place counts: code and escaped signs, which stay as they are; then
 * formulas as models write them; then numbers in brackets. A dollar opens a formula and closes it
 * only where it touches it, and no word or number from outside: prices stay prices.
 */
const NOTATION = new RegExp(
  [
    `^${LEAD}(?<fence>\`{3,}|~{3,})[^\\n\`]*$(?:\\n[^]*?)??(?:\\n[ \\t>]*\\k<fence>[\`~]*[ \\t]*$|(?![^]))`,
    "(?<!`)(?<ticks>`+)(?!`)[^]*?(?<!`)\\k<ticks>(?!`)",
    `(?<=^${LEAD})\\\\\\[(?<bracket>[^]+?)\\\\\\][ \\t]*$`,
    `\\\\\\((?<paren>${NO_BLANK})\\\\\\)`,
    "\\\\[^]",
    "\\$\\$(?<display>(?:[^$\\\\]|\\\\[^]|\\$(?!\\$))+?)\\$\\$",
    "(?<![A-Za-z0-9$])\\$(?![\\s$])(?<inline>(?:[^$\\\\\\n]|\\\\.|\\n(?![ \\t]*\\n))+?)(?<!\\s)\\$(?![A-Za-z0-9$])",
    "\\[(?<source>\\d{1,3})\\](?!\\()",
  ].join("|"),
  "gm",
);
const SIGN = /[`$\\[]/;
const INDENTED = /^(?: {4}|\t)/;

/** A block with its formulas as code spans, and numbers of known sources as links. */
export function rewritten(block: string, isSource: (n: number) => boolean): string {
  if (!SIGN.test(block) || INDENTED.test(block)) return block;
  let written = "";
  let at = 0;
  for (const match of block.matchAll(NOTATION)) {
    written += block.slice(at, match.index) + inPlaceOf(match, isSource);
    at = match.index + match[0].length;
  }
  return written + block.slice(at);
}

function inPlaceOf(match: RegExpExecArray, isSource: (n: number) => boolean): string {
  const [whole] = match;
  const { display, bracket, inline, paren, source } = match.groups ?? {};
  if (source) return isSource(Number(source)) ? `[${source}](${SOURCE}${source})` : whole;
  const shown = display ?? bracket;
  const tex = shown ?? inline ?? paren;
  if (tex === undefined) return whole;
  const line = match.input.slice(match.input.lastIndexOf("\n", match.index) + 1, match.index);
  const said = onOneLine(tex, line);
  if (!said) return whole;
  const sign = shown === undefined ? INLINE : DISPLAY;
  const ticks = "`".repeat(1 + Math.max(0, ...(said.match(/`+/g) ?? []).map((run) => run.length)));
  return `${ticks}${sign}${said}${sign}${ticks}`;
}

/** TeX without its remarks and line ends; in a row of a table without what ends a cell. */
function onOneLine(tex: string, line: string): string {
  const quoted = line.trimStart().startsWith(">") ? tex.replace(/^[ \t]*>[ \t]?/gm, "") : tex;
  const said = quoted
    .replace(/(?<!\\)%.*$/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  if (!/^[ \t]*\|/.test(line)) return said;
  return said.replace(/\\\|/g, "\\Vert ").replace(/\|/g, "\\vert ").trim();
}

/** The formula that a code span stands for, if it does. */
export function formulaIn(code: string): Formula | undefined {
  const sign = code[0];
  if ((sign !== INLINE && sign !== DISPLAY) || code.length < 3 || code.at(-1) !== sign)
    return undefined;
  return { tex: code.slice(1, -1), isDisplay: sign === DISPLAY };
}
