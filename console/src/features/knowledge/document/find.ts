import type { Block, PageWord } from "./queries";

/** A part of a page: left, top, right and bottom as parts of its sides. */
export type Area = readonly [left: number, top: number, right: number, bottom: number];
/** Something that was found on a page: the words of it, or the parts of them. */
export type PageHit = { page: number; areas: readonly Area[] };

/** Rows of a table that the reading shows; the rest of a long one is in its slices. */
export const SHOWN_ROWS = 50;
/** Scripts whose words stand without a space between them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** What is looked for: case and the width of spaces do not matter. */
export function needleOf(typed: string): string {
  return typed.trim().toLowerCase().replaceAll(/\s+/g, " ");
}

/** Where a text has what is looked for. */
export function placesIn(text: string, needle: string): number[] {
  const places: number[] = [];
  if (!needle) return places;
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(needle); at >= 0; at = lower.indexOf(needle, at + needle.length))
    places.push(at);
  return places;
}

/** What is found on a page; a hit may begin and end within words, and go over several. */
export function hitsOnPage(page: number, words: readonly PageWord[], needle: string): PageHit[] {
  const { text, starts } = runOn(words);
  return placesIn(text, needle).map((from) => {
    const to = from + needle.length;
    const areas = words.flatMap((word, index) => {
      const start = starts[index] ?? 0;
      const { length } = word.text;
      if (start >= to || start + length <= from) return [];
      const [left = 0, top = 0, right = 0, bottom = 0] = word.box;
      const along = (at: number) =>
        left + ((right - left) * Math.min(length, Math.max(0, at - start))) / length;
      return [[along(from), top, along(to), bottom] as const];
    });
    return { page, areas };
  });
}

function runOn(words: readonly PageWord[]): { text: string; starts: number[] } {
  let text = "";
  const starts: number[] = [];
  for (const word of words) {
    const isOneWithLast = UNSPACED.test(text.at(-1) ?? "") && UNSPACED.test(word.text.at(0) ?? "");
    if (text && !isOneWithLast) text += " ";
    starts.push(text.length);
    text += word.text;
  }
  return { text, starts };
}

/** The texts of a block in the order in which it shows them. */
export function textsOf(block: Block): readonly string[] {
  if (block.kind !== "table") return [block.text];
  return block.rows.slice(0, SHOWN_ROWS).flatMap((row) => row.map((cell) => cell ?? ""));
}

/** Which blocks have what is looked for, each as often as it has it. */
export function hitsInBlocks(blocks: readonly Block[], needle: string): number[] {
  return blocks.flatMap((block, index) =>
    textsOf(block).flatMap((text) => placesIn(text, needle).map(() => index)),
  );
}

/** The hit before or after one; behind the last comes the first. */
export function stepped(at: number, by: 1 | -1, count: number): number {
  return count === 0 ? 0 : (at + by + count) % count;
}
