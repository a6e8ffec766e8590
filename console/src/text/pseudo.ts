const ACCENTED: Readonly<Record<string, string>> = {
  a: "á",
  b: "ƀ",
  c: "ç",
  d: "ð",
  e: "é",
  f: "ƒ",
  g: "ğ",
  h: "ĥ",
  i: "í",
  j: "ĵ",
  k: "ķ",
  l: "ļ",
  m: "ɱ",
  n: "ñ",
  o: "ó",
  p: "þ",
  q: "ɋ",
  r: "ŕ",
  s: "š",
  t: "ţ",
  u: "ú",
  v: "ṽ",
  w: "ŵ",
  x: "ẋ",
  y: "ý",
  z: "ž",
  A: "Á",
  B: "Ɓ",
  C: "Ç",
  D: "Ð",
  E: "É",
  F: "Ƒ",
  G: "Ğ",
  H: "Ĥ",
  I: "Í",
  J: "Ĵ",
  K: "Ķ",
  L: "Ļ",
  M: "Ṁ",
  N: "Ñ",
  O: "Ó",
  P: "Þ",
  Q: "Ɋ",
  R: "Ŕ",
  S: "Š",
  T: "Ţ",
  U: "Ú",
  V: "Ṽ",
  W: "Ŵ",
  X: "Ẋ",
  Y: "Ý",
  Z: "Ž",
};
const LONGER = 0.4;

/** English with accents, brackets and two fifths more length: finds clipped and fixed texts. */
export function disguised<T>(text: T): T;
export function disguised(text: unknown): unknown {
  if (typeof text === "string") return disguisedString(text);
  if (typeof text === "function") {
    return (...values: unknown[]) => disguised(text(...values));
  }
  if (Array.isArray(text)) return text.map((each: unknown) => disguised(each));
  if (
    text !== null &&
    typeof text === "object" &&
    Object.getPrototypeOf(text) === Object.prototype
  ) {
    return Object.fromEntries(Object.entries(text).map(([key, value]) => [key, disguised(value)]));
  }
  return text;
}

function disguisedString(text: string): string {
  const letters = [...text].map((letter) => ACCENTED[letter] ?? letter).join("");
  return `[${letters}${"·".repeat(Math.ceil(text.length * LONGER))}]`;
}
