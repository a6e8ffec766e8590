/** What the server says, with {1}, {2} … where it has values, and how to say it. */
export type Sentences = Readonly<Record<string, string>>;

/** A sentence of the server that has values in it: what stands around them, and how to say it. */
type Pattern = {
  readonly parts: readonly string[];
  readonly words: string;
  readonly weight: number;
};

const VALUE = /\{\d\}/;

/** Longer ones are not taken apart: their values come from anybody. */
const MOST_CHARS = 600;

/** How deep sentences are looked for in values of sentences, which come from anybody too. */
const MOST_LEVELS = 5;

/** A name that a sentence is about, mostly of a field. */
const ABOUT = /^([^:]+): ([\s\S]+)$/;

/** What is said, and how many characters of the sentence were known rather than taken for values. */
type Said = { readonly text: string; readonly weight: number };

const known = new WeakMap<Sentences, readonly Pattern[]>();

/** A sentence of the server in other words, its values as well; nothing where there are none. */
export function inWords(message: string, sentences: Sentences): string | undefined {
  return said(message, sentences, MOST_LEVELS)?.text;
}

function said(message: string, sentences: Sentences, levels: number): Said | undefined {
  const exact = Object.hasOwn(sentences, message) ? sentences[message] : undefined;
  if (exact !== undefined) return { text: exact, weight: message.length };
  if (message.length > MOST_CHARS || levels === 0) return undefined;
  const whole = byPattern(message, sentences, levels);
  // A pattern that begins with a value may have taken a name for part of it.
  const about = whole?.isHeaded ? undefined : aboutName(message, sentences, levels);
  return about && about.weight > (whole?.weight ?? 0) ? about : whole;
}

/** What is said of a field stands once for all fields, and may get its point from where it is. */
function aboutName(message: string, sentences: Sentences, levels: number): Said | undefined {
  const [, name, rest] = ABOUT.exec(message) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const closed = said(rest, sentences, levels - 1);
  const open = rest.endsWith(".") ? said(rest.slice(0, -1), sentences, levels - 1) : undefined;
  // Of a sentence with and one without a point, the one that knows more is meant.
  const [found, end] = open && open.weight > (closed?.weight ?? 0) ? [open, "。"] : [closed, ""];
  if (!found) return undefined;
  const certainty = name.includes(" ") ? 0 : 1;
  return { text: `${name}：${found.text}${end}`, weight: found.weight + certainty };
}

function byPattern(
  message: string,
  sentences: Sentences,
  levels: number,
): (Said & { isHeaded: boolean }) | undefined {
  for (const { parts, words, weight } of patternsOf(sentences)) {
    const values = valuesOf(message, parts);
    if (values) {
      const text = filled(words, values, sentences, levels);
      return { text, weight, isHeaded: parts[0] !== "" };
    }
  }
  return undefined;
}

/** Those with the most words of their own come first: they say what a shorter one takes for a value. */
function patternsOf(sentences: Sentences): readonly Pattern[] {
  let patterns = known.get(sentences);
  if (!patterns) {
    patterns = Object.entries(sentences)
      .filter(([sentence]) => VALUE.test(sentence))
      .map(([sentence, words]) => {
        const parts = sentence.split(VALUE);
        return { parts, words, weight: parts.join("").length };
      })
      .toSorted((one, other) => other.weight - one.weight);
    known.set(sentences, patterns);
  }
  return patterns;
}

/** The shortest values between the parts. Nothing is tried twice, as a regular expression would. */
function valuesOf(message: string, parts: readonly string[]): readonly string[] | undefined {
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  const end = message.length - last.length;
  if (end < first.length || !message.startsWith(first) || !message.endsWith(last)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const next = message.indexOf(part, at);
    if (next < 0 || next + part.length > end) return undefined;
    values.push(message.slice(at, next));
    at = next + part.length;
  }
  return [...values, message.slice(at, end)];
}

/** Puts values in; between Han and Latin stands a space, between Han and Han none. */
function filled(
  words: string,
  values: readonly string[],
  sentences: Sentences,
  levels: number,
): string {
  return words.replace(/( ?)\{(\d)\}( ?)/g, (_, before: string, place: string, after: string) => {
    const value = valueIn(values[Number(place) - 1] ?? "", sentences, levels);
    const isTightBefore = value === "" || /^[\p{Script=Han}“（]/u.test(value);
    const isTightAfter = value === "" || /[\p{Script=Han}”）。]$/u.test(value);
    return (isTightBefore ? "" : before) + value + (isTightAfter ? "" : after);
  });
}

function valueIn(value: string, sentences: Sentences, levels: number): string {
  const quoted = /^(['"])([\s\S]*)\1$/.exec(value)?.[2];
  return quoted === undefined ? (said(value, sentences, levels - 1)?.text ?? value) : `“${quoted}”`;
}
