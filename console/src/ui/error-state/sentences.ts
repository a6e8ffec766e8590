/** What the server says, with {1}, {2} … where it has values, and how to say it. */
export type Sentences = Readonly<Record<string, string>>;

/** Words that are values of sentences, by the name of their group: `{1:kind}` takes one of `kind`. */
export type Nouns = Readonly<Record<string, Sentences>>;

/** A sentence of the server that has values in it: what stands around them, and how to say it. */
type Pattern = {
  readonly parts: readonly string[];
  readonly words: string;
  readonly weight: number;
};

const VALUE = /\{\d\}/;

/** Where a value comes in the words, which may name the group of its noun. */
const PLACE = /( ?)\{(\d)(?::(\w+))?\}( ?)/g;

/** What stands between nouns that are counted up. */
const COUNTED = /(, | \| | or )/;

/** Longer ones are not taken apart: their values come from anybody. */
const MOST_CHARS = 600;

/** How often a message is looked up with its parts, which come from anybody too. */
const MOST_LOOKUPS = 100;

/** A name that a sentence is about, mostly of a field. */
const ABOUT = /^([^:]+): ([\s\S]+)$/;

/** What is said, and how many characters of the sentence were known rather than taken for values. */
type Said = { readonly text: string; readonly weight: number };

/** The words, and how many lookups are left. */
type Search = { readonly sentences: Sentences; readonly nouns: Nouns; lookups: number };

const known = new WeakMap<Sentences, readonly Pattern[]>();

/** Of longer lists the rest stays as it is. */
const MOST_LINES = 30;

/**
 * A sentence of the server in other words, its values as well; of several, each of which has a line,
 * those that are known. Nothing where there are none.
 */
export function inWords(
  message: string,
  sentences: Sentences,
  nouns: Nouns = {},
): string | undefined {
  const one = (text: string) => said(text, { sentences, nouns, lookups: MOST_LOOKUPS })?.text;
  const lines = message.split("\n", MOST_LINES + 1);
  if (lines.length === 1 || lines.length > MOST_LINES) return one(message);
  const found = lines.map(one);
  // A value may have lines too: the sentence around it is known as a whole only.
  if (found[0] === undefined) return one(message);
  return lines.map((line, at) => found[at] ?? line).join("\n");
}

function said(message: string, search: Search): Said | undefined {
  if (message.length > MOST_CHARS) return undefined;
  const whole = asOne(message, search);
  // A pattern that begins with a value may have taken a name for part of it.
  const about = whole?.isHeaded || search.lookups === 0 ? undefined : aboutName(message, search);
  return about && about.weight > (whole?.weight ?? 0) ? about : whole;
}

/** What is said of a field stands once for all fields, and may get its point from where it is. */
function aboutName(message: string, search: Search): Said | undefined {
  const [, name, rest] = ABOUT.exec(message) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const closed = said(rest, search);
  const open = rest.endsWith(".") ? asOne(rest.slice(0, -1), search) : undefined;
  // Of a sentence with and one without a point, the one that knows more is meant.
  const [found, end] = open && open.weight > (closed?.weight ?? 0) ? [open, "。"] : [closed, ""];
  if (!found) return undefined;
  const place = asOne(name, search)?.text;
  const certainty = name.includes(" ") && place === undefined ? 0 : 1;
  return { text: `${place ?? name}：${found.text}${end}`, weight: found.weight + certainty };
}

type Whole = Said & { readonly isHeaded: boolean };

function asOne(message: string, search: Search): Whole | undefined {
  const { sentences } = search;
  if (search.lookups === 0) return undefined;
  search.lookups -= 1;
  const exact = Object.hasOwn(sentences, message) ? sentences[message] : undefined;
  if (exact !== undefined) return { text: exact, weight: message.length, isHeaded: true };
  return byPattern(message, search);
}

function byPattern(message: string, search: Search): Whole | undefined {
  for (const { parts, words, weight } of patternsOf(search.sentences)) {
    const values = valuesOf(message, parts);
    if (values) {
      const text = filled(words, values, search);
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
function filled(words: string, values: readonly string[], search: Search): string {
  return words.replace(PLACE, (_, before: string, place: string, group?: string, after = "") => {
    const given = values[Number(place) - 1] ?? "";
    const value = nounsIn(given, group && search.nouns[group]) ?? valueIn(given, search);
    const isTightBefore = value === "" || /^[\p{Script=Han}“（]/u.test(value);
    const isTightAfter = value === "" || /[\p{Script=Han}”）。]$/u.test(value);
    return (isTightBefore ? "" : before) + value + (isTightAfter ? "" : after);
  });
}

/** A noun, or several of a group as they are counted up; nothing where one is none of the group. */
function nounsIn(value: string, group: Sentences | "" | undefined): string | undefined {
  if (!group) return undefined;
  const found = value.split(COUNTED).map((part, at) => {
    if (at % 2 === 1) return part === ", " ? "、" : "或";
    return Object.hasOwn(group, part) ? group[part] : undefined;
  });
  return found.includes(undefined) ? undefined : found.join("");
}

function valueIn(value: string, search: Search): string {
  const quoted = /^(['"])([\s\S]*)\1$/.exec(value)?.[2];
  if (quoted !== undefined) return `“${quoted}”`;
  return said(value, search)?.text ?? listIn(value, search) ?? value;
}

/** Sentences that stand in one value, all of which are known. */
function listIn(value: string, search: Search): string | undefined {
  const parts = value.split("; ");
  if (parts.length === 1) return undefined;
  const found = parts.map((part) => said(part, search)?.text);
  return found.includes(undefined) ? undefined : found.join("；");
}
