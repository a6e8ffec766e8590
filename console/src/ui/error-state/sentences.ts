import type { Reasons } from "./reasons";

/** A sentence of the server that has values in it, and how to say it. */
type Pattern = { readonly pattern: RegExp; readonly words: string; readonly weight: number };

const PLACE = /\{\d\}/g;

/** Longer ones are not taken apart: their values come from anybody, and would be tried at each place. */
const MOST_CHARS = 600;
const known = new WeakMap<Reasons, readonly Pattern[]>();

/** A sentence of the server in other words, its values as well; nothing where there are none. */
export function inWords(message: string, reasons: Reasons): string | undefined {
  const exact = Object.hasOwn(reasons, message) ? reasons[message] : undefined;
  // What has no space is a code, and none of the server's sentences.
  if (exact !== undefined && message.includes(" ")) return exact;
  if (message.length > MOST_CHARS) return undefined;
  for (const { pattern, words } of patternsOf(reasons)) {
    const found = pattern.exec(message);
    if (found) return filled(words, found.slice(1), reasons);
  }
  return undefined;
}

/** Those with the most words of their own come first: they say what a shorter one takes for a value. */
function patternsOf(reasons: Reasons): readonly Pattern[] {
  let patterns = known.get(reasons);
  if (!patterns) {
    patterns = Object.entries(reasons)
      .filter(([sentence]) => sentence.search(PLACE) >= 0)
      .map(([sentence, words]) => {
        const parts = sentence
          .split(PLACE)
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
        const weight = parts.join("").length;
        return { pattern: new RegExp(`^${parts.join("([\\s\\S]*?)")}$`), words, weight };
      })
      .toSorted((one, other) => other.weight - one.weight);
    known.set(reasons, patterns);
  }
  return patterns;
}

/** Puts values in; between Han and Latin stands a space, between Han and Han none. */
function filled(words: string, values: readonly string[], reasons: Reasons): string {
  return words.replace(/( ?)\{(\d)\}( ?)/g, (_, before: string, place: string, after: string) => {
    const value = valueIn(values[Number(place) - 1] ?? "", reasons);
    const isTightBefore = value === "" || /^[\p{Script=Han}“（]/u.test(value);
    const isTightAfter = value === "" || /[\p{Script=Han}”）。]$/u.test(value);
    return (isTightBefore ? "" : before) + value + (isTightAfter ? "" : after);
  });
}

function valueIn(value: string, reasons: Reasons): string {
  const quoted = /^(['"])([\s\S]*)\1$/.exec(value)?.[2];
  return quoted === undefined ? (inWords(value, reasons) ?? value) : `“${quoted}”`;
}
