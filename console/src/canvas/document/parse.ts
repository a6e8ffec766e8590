import type { CanvasText, Item, Member, Value } from "./tree";

const DEEPEST = 500;

/** A text that is no JSON; `at` is the character that nothing fits to. */
export class BrokenText extends Error {
  override readonly name = "BrokenText";
  readonly at: number;

  constructor(at: number, expected: string) {
    super(`Character ${at}: expected ${expected}.`);
    this.at = at;
  }
}

/** Reads a JSON text to the character; raises `BrokenText`. */
export function parse(text: string): CanvasText {
  const scanner = new Scanner(text);
  const before = scanner.space();
  const value = scanner.value(0);
  const after = scanner.space();
  if (scanner.at < text.length) throw new BrokenText(scanner.at, "the end");
  return { before, value, after };
}

const SPACE = /[ \t\n\r]*/y;
const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

class Scanner {
  at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  space(): string {
    const next = this.text.charCodeAt(this.at);
    if (next !== 32 && next !== 10 && next !== 13 && next !== 9) return "";
    return this.match(SPACE, "white space");
  }

  value(depth: number): Value {
    if (depth > DEEPEST) throw new BrokenText(this.at, "less nesting");
    const first = this.text[this.at];
    if (first === "{") return this.object(depth);
    if (first === "[") return this.list(depth);
    if (first === '"') return { kind: "leaf", raw: this.string() };
    return { kind: "leaf", raw: this.match(WORD, "a value") };
  }

  private object(depth: number): Value {
    this.at += 1;
    const members: Member[] = [];
    let before = this.space();
    if (this.takes("}")) return { kind: "object", members, inner: before };
    for (;;) {
      const rawName = this.string();
      const between = this.space();
      if (!this.takes(":")) throw new BrokenText(this.at, "a colon");
      const colon = `${between}:${this.space()}`;
      const value = this.value(depth + 1);
      members.push({ before, rawName, name: unquoted(rawName), colon, value, after: this.space() });
      if (this.takes("}")) return { kind: "object", members, inner: "" };
      if (!this.takes(",")) throw new BrokenText(this.at, "a comma or a brace");
      before = this.space();
    }
  }

  private list(depth: number): Value {
    this.at += 1;
    const items: Item[] = [];
    let before = this.space();
    if (this.takes("]")) return { kind: "list", items, inner: before };
    for (;;) {
      items.push({ before, value: this.value(depth + 1), after: this.space() });
      if (this.takes("]")) return { kind: "list", items, inner: "" };
      if (!this.takes(",")) throw new BrokenText(this.at, "a comma or a bracket");
      before = this.space();
    }
  }

  /** The text of a string; the long ones, of which a regular expression runs out, by hand. */
  private string(): string {
    const { text, at } = this;
    if (text[at] !== '"') throw new BrokenText(at, "a string");
    for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
      let slashes = 0;
      while (text[end - 1 - slashes] === "\\") slashes += 1;
      if (slashes % 2 === 1) continue;
      const raw = text.slice(at, end + 1);
      if (raw.length < 1000 && !isString(raw)) break;
      if (raw.length >= 1000) unquoted(raw, at);
      this.at = end + 1;
      return raw;
    }
    throw new BrokenText(at, "a string");
  }

  private takes(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private match(pattern: RegExp, expected: string): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) throw new BrokenText(this.at, expected);
    this.at += found.length;
    return found;
  }
}

function isString(raw: string): boolean {
  STRING.lastIndex = 0;
  return STRING.test(raw) && STRING.lastIndex === raw.length;
}

const SIMPLE = /^"[^"\\]*"$/;

/** What a quoted string says. */
function unquoted(raw: string, at = 0): string {
  if (SIMPLE.test(raw) && raw.length < 1000) return raw.slice(1, -1);
  try {
    return String(JSON.parse(raw));
  } catch {
    throw new BrokenText(at, "a string");
  }
}
