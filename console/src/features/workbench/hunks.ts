import { sentenceDifference } from "../../text/difference";

/** A part of two texts: the same in both, or one in the place of the other. */
export type Hunk = { left: string; right: string };

/** Space within a paragraph. */
const SPACE = /^[^\S\n]*\n?[^\S\n]*$/;

/** Two texts as parts, each of which can be taken from either side. */
export function hunksOf(left: string, right: string): readonly Hunk[] {
  const found: Hunk[] = [];
  let gap = "";
  for (const { kind, text } of sentenceDifference(left, right)) {
    const last = found.at(-1);
    if (kind === "same") {
      // What is only space between two changes belongs to both: nobody decides on a line end.
      if (last && isChange(last) && SPACE.test(gap + text)) gap += text;
      else {
        settle(found, gap + text);
        gap = "";
      }
      continue;
    }
    const side = kind === "left" ? { left: text, right: "" } : { left: "", right: text };
    if (last && isChange(last)) {
      last.left += gap + side.left;
      last.right += gap + side.right;
      gap = "";
    } else found.push(side);
  }
  settle(found, gap);
  return found;
}

export function isChange({ left, right }: Hunk): boolean {
  return left !== right;
}

/** The text with the changes that were taken, by their place among the parts. */
export function textOf(hunks: readonly Hunk[], taken: ReadonlySet<number>): string {
  return hunks.map(({ left, right }, at) => (taken.has(at) ? right : left)).join("");
}

function settle(found: Hunk[], text: string): void {
  const last = found.at(-1);
  if (!text) return;
  if (last && !isChange(last)) {
    last.left += text;
    last.right += text;
  } else found.push({ left: text, right: text });
}
