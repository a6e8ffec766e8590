/** How long a piece is at least: parsing one costs a few milliseconds. */
const LEAST_CHARS = 800;
/** Whatever may mean something to Markdown within a line, apart from addresses, which hold no spaces. */
const SIGN = /[\\`*_~[\]<&!|$]/;
/** Lines that can only go on with a paragraph: no underlining, no table, no list. */
const PLAIN_LINES = /^\p{L}[^\n]*(?:\n\p{L}[^\n]*)*\s*$/u;
const CUT = / (?=\p{L})/gu;

/**
 * Pieces of a paragraph that mean the same one by one, separated by a space; what is not such a
 * paragraph is one piece. All but the last stay as they are while the paragraph is written.
 */
export function piecesOf(block: string): string[] {
  if (block.length < 2 * LEAST_CHARS || !PLAIN_LINES.test(block)) return [block];
  const sign = block.search(SIGN);
  const plain = sign < 0 ? block.length : sign;
  const pieces: string[] = [];
  let begun = 0;
  for (;;) {
    CUT.lastIndex = begun + LEAST_CHARS;
    const cut = CUT.exec(block)?.index ?? plain;
    if (cut >= plain) break;
    pieces.push(block.slice(begun, cut));
    begun = cut + 1;
  }
  pieces.push(block.slice(begun));
  return pieces;
}
