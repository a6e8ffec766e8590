import type { Chunk } from "./queries";

/** What stood between two slices in the text, by the id of the first one. */
export type Seams = Map<number, string>;
/** Slices end with a paragraph, unless it is known better. */
const PARAGRAPH = "\n\n";
const SENTENCES = new Intl.Segmenter(undefined, { granularity: "sentence" });

/** Whether a slice has a sentence to give, and keeps one. */
export function hasSeveral(text: string): boolean {
  return startsOf(text).length > 1;
}

/** The boundary below a slice, a sentence further up or down. */
export function moved(
  chunks: readonly Chunk[],
  upperId: number,
  way: "up" | "down",
  seams: Seams,
): readonly Chunk[] {
  const at = chunks.findIndex((chunk) => chunk.id === upperId);
  const [upper, lower] = [chunks[at], chunks[at + 1]];
  if (!upper || !lower || !hasSeveral((way === "up" ? upper : lower).text)) return chunks;
  const whole = `${upper.text}${seams.get(upperId) ?? PARAGRAPH}${lower.text}`;
  const starts = startsOf(whole);
  const start = whole.length - lower.text.length;
  const cut =
    way === "up"
      ? (startsOf(upper.text).at(-1) ?? 0)
      : (starts.find((each) => each > start) ?? start);
  const first = whole.slice(0, cut).trimEnd();
  seams.set(upperId, whole.slice(first.length, cut));
  return chunks.map((chunk) => {
    if (chunk === upper) return { ...chunk, text: first };
    return chunk === lower ? { ...chunk, text: whole.slice(cut) } : chunk;
  });
}

/** A slice and the next one as one. */
export function joined(chunks: readonly Chunk[], id: number, seams: Seams): readonly Chunk[] {
  const at = chunks.findIndex((chunk) => chunk.id === id);
  const [one, other] = [chunks[at], chunks[at + 1]];
  if (!one || !other) return chunks;
  const text = `${one.text}${seams.get(id) ?? PARAGRAPH}${other.text}`;
  return [...chunks.slice(0, at), { ...one, text }, ...chunks.slice(at + 2)];
}

/** What a slice is to say; in several parts, each becomes a slice. */
export function reworded(
  chunks: readonly Chunk[],
  id: number,
  texts: readonly string[],
): readonly Chunk[] {
  return chunks.flatMap((chunk) =>
    chunk.id === id ? texts.map((text) => ({ ...chunk, text })) : chunk,
  );
}

function startsOf(text: string): number[] {
  return [...SENTENCES.segment(text)]
    .filter(({ segment }) => segment.trim() !== "")
    .map(({ index }) => index);
}
