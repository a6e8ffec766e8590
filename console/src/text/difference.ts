/** A piece of two texts: in both, or in one of them alone. */
export type Piece = { readonly kind: "same" | "left" | "right"; readonly text: string };

/** Beyond this many steps the texts have little in common; what is left counts as changed. */
const MOST_STEPS = 400;

/** The shortest way from one list to another, by Myers' algorithm. */
function ways(left: readonly string[], right: readonly string[]): Piece[] {
  const most = Math.min(left.length + right.length, MOST_STEPS);
  const furthest = new Map<number, number>([[1, 0]]);
  const trail: Map<number, number>[] = [];
  for (let step = 0; step <= most; step += 1) {
    trail.push(new Map(furthest));
    for (let line = -step; line <= step; line += 2) {
      const down = furthest.get(line + 1) ?? -1;
      const along = furthest.get(line - 1) ?? -1;
      let at = line === -step || (line !== step && along < down) ? down : along + 1;
      while (
        at < left.length &&
        at - line < right.length &&
        at - line >= 0 &&
        left[at] === right[at - line]
      )
        at += 1;
      furthest.set(line, at);
      if (at >= left.length && at - line >= right.length) return back(left, right, trail);
    }
  }
  return [...left.map(piece("left")), ...right.map(piece("right"))];
}

function piece(kind: Piece["kind"]) {
  return (text: string): Piece => ({ kind, text });
}

function back(
  left: readonly string[],
  right: readonly string[],
  trail: readonly ReadonlyMap<number, number>[],
): Piece[] {
  const found: Piece[] = [];
  let [x, y] = [left.length, right.length];
  for (let step = trail.length - 1; step >= 0; step -= 1) {
    const known = trail[step] ?? new Map<number, number>();
    const line = x - y;
    const isDown =
      line === -step ||
      (line !== step && (known.get(line - 1) ?? -1) < (known.get(line + 1) ?? -1));
    const before = isDown ? line + 1 : line - 1;
    const fromX = step === 0 ? 0 : (known.get(before) ?? 0);
    const fromY = step === 0 ? 0 : fromX - before;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      found.push({ kind: "same", text: left[x] ?? "" });
    }
    if (step === 0) break;
    if (isDown) {
      y -= 1;
      found.push({ kind: "right", text: right[y] ?? "" });
    } else {
      x -= 1;
      found.push({ kind: "left", text: left[x] ?? "" });
    }
  }
  return found.reverse();
}

/** Two lists, with what both begin and end with taken off before the rest is compared. */
function compared(left: readonly string[], right: readonly string[]): Piece[] {
  const most = Math.min(left.length, right.length);
  let head = 0;
  while (head < most && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < most - head && left.at(-1 - tail) === right.at(-1 - tail)) tail += 1;
  return [
    ...left.slice(0, head).map(piece("same")),
    ...ways(left.slice(head, left.length - tail), right.slice(head, right.length - tail)),
    ...left.slice(left.length - tail).map(piece("same")),
  ];
}

/** How two texts differ, line by line. */
export function lineDifference(left: string, right: string): readonly Piece[] {
  return compared(left.split("\n"), right.split("\n"));
}

/** Words, signs and white space; signs of scripts that write without spaces each alone. */
const WORDS = /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]+|[^\s]/gu;

/** How two texts differ, word by word, neighbours of a kind put together. */
export function wordDifference(left: string, right: string): readonly Piece[] {
  const found: { kind: Piece["kind"]; text: string }[] = [];
  for (const { kind, text } of compared(left.match(WORDS) ?? [], right.match(WORDS) ?? [])) {
    const last = found.at(-1);
    if (last?.kind === kind) last.text += text;
    else found.push({ kind, text });
  }
  return found;
}

/** White space, and sentences with what ends them. */
const SENTENCES = /\s+|[^\n.!?。！？]*(?:[.!?。！？]+["'”’)\]]*|(?=\n)|$)/gu;

/** How two texts differ, sentence by sentence. */
export function sentenceDifference(left: string, right: string): readonly Piece[] {
  const sentences = (text: string) => (text.match(SENTENCES) ?? []).filter(Boolean);
  return compared(sentences(left), sentences(right));
}
