import { textsOf } from "./find";
import type { Block, Slice } from "./queries";

/** Slices stand in the order of what was read, but for those that were moved a little. */
const NEAR = 8;
/** Letters of a beginning by which a part that goes over several is known, and the fewest. */
const BEGINNING = 32;
const TELLING = 12;

/**
 * Which slices say what a block says, block by block. Nothing tells where a slice of such a format
 * was cut; what is written in both tells it, but for what somebody changed since.
 */
export function slicesOfBlocks(
  blocks: readonly Block[],
  slices: readonly Slice[],
): readonly (readonly Slice[])[] {
  const said = slices.map((slice) => bare(slice.content));
  let from = 0;
  return blocks.map((block) => {
    const words = bare(textsOf(block).join(" "));
    const isIn = (at: number) => words !== "" && areOneText(words, said[at] ?? "");
    const first = range(from, from + NEAR).find(isIn) ?? range(from - NEAR, from).find(isIn);
    if (first === undefined) return [];
    from = Math.max(from, first);
    let behind = first + 1;
    while (isBegunIn(words, said[behind] ?? "")) behind += 1;
    return slices.slice(first, behind);
  });
}

/** Letters and digits alone: cutting changes marks and spaces. */
function bare(text: string): string {
  return text.toLowerCase().replaceAll(/<[^>]*>|[^\p{L}\p{N}]+/gu, "");
}

function areOneText(block: string, slice: string): boolean {
  return slice.includes(block) || isBegunIn(block, slice) || isBegunIn(slice, block);
}

function isBegunIn(whole: string, part: string): boolean {
  return part.length >= TELLING && whole.includes(part.slice(0, BEGINNING));
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
