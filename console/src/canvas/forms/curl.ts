/** What a curl command asks for. */
export type CurlRequest = {
  readonly method: string;
  readonly url: string;
  readonly params: readonly Pair[];
  readonly headers: readonly Pair[];
  /** Of a bearer token; empty without one. */
  readonly token: string;
  readonly body: CurlBody;
};
type Pair = readonly [name: string, value: string];
type CurlBody =
  | { readonly kind: "EMPTY" }
  | { readonly kind: "JSON" | "RAW_TEXT"; readonly text: string }
  | { readonly kind: "FORM_DATA" | "FORM_URLENCODED"; readonly fields: readonly Pair[] };

const DATA = new Set(["-d", "--data", "--data-ascii", "--data-raw", "--data-binary", "--json"]);
const ENCODED = "--data-urlencode";
const FORMS = new Set(["-F", "--form", "--form-string"]);
/** Options that take a word and change nothing of what a node asks for. */
const PASSED = new Set([
  ...["-o", "--output", "-m", "--max-time", "--connect-timeout", "--retry", "-w", "--write-out"],
  ...["-x", "--proxy", "--cacert", "--cert", "--key", "-c", "--cookie-jar", "--resolve"],
]);
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Reads a command as a shell would take it apart; nothing where it is no call of curl. */
export function readCurl(command: string): CurlRequest | undefined {
  const words = wordsOf(command.replaceAll(/\\\r?\n|\^\r?\n/g, " "));
  if (words.shift() !== "curl") return undefined;
  let method = "";
  let address = "";
  let isQuery = false;
  const headers: Pair[] = [];
  const data: string[] = [];
  const fields: Pair[] = [];
  while (words.length > 0) {
    const [option = "", attached] = splitOption(words.shift() ?? "");
    const value = () => attached ?? words.shift() ?? "";
    if (option === "-X" || option === "--request") method = value().toUpperCase();
    else if (option === "-H" || option === "--header") headers.push(pairOf(value(), ":"));
    else if (option === "--url") address = value();
    else if (option === "-I" || option === "--head") method = "HEAD";
    else if (option === "-G" || option === "--get") isQuery = true;
    else if (option === "-A" || option === "--user-agent") headers.push(["User-Agent", value()]);
    else if (option === "-e" || option === "--referer") headers.push(["Referer", value()]);
    else if (option === "-b" || option === "--cookie") headers.push(["Cookie", value()]);
    else if (option === "-u" || option === "--user")
      headers.push(["Authorization", `Basic ${btoa(value())}`]);
    else if (FORMS.has(option)) fields.push(pairOf(value(), "="));
    else if (option === ENCODED) data.push(encoded(value()));
    else if (DATA.has(option)) {
      if (option === "--json") headers.push(["Content-Type", "application/json"]);
      data.push(value());
    } else if (PASSED.has(option)) value();
    else if (!option.startsWith("-")) address = option;
  }
  if (!address) return undefined;
  const [place = "", query = ""] = address.split(/\?(.*)/s);
  const asked = isQuery ? [query, ...data].filter(Boolean).join("&") : query;
  const sent = isQuery ? "" : data.join("&");
  const token = /^Bearer (\S+)$/i.exec(headerOf(headers, "Authorization"))?.[1] ?? "";
  const body = bodyOf(sent, fields, headerOf(headers, "Content-Type"));
  return {
    method: method || (body.kind === "EMPTY" ? "GET" : "POST"),
    url: /^[a-z]+:\/\//i.test(place) ? place : `https://${place}`,
    params: pairsOf(asked),
    headers: headers.filter(([name]) => !isMade(name, body, token)),
    token,
    body,
  };
}

/** Headers that the node makes by itself from its body and its authentication. */
function isMade(name: string, body: CurlBody, token: string): boolean {
  const lower = name.toLowerCase();
  if (lower === "authorization") return token !== "";
  return lower === "content-length" || (lower === "content-type" && body.kind !== "RAW_TEXT");
}

function bodyOf(sent: string, fields: readonly Pair[], type: string): CurlBody {
  if (fields.length > 0) return { kind: "FORM_DATA", fields };
  if (!sent) return { kind: "EMPTY" };
  if (/\bjson\b/i.test(type) || (!type && /^\s*[{[]/.test(sent)))
    return { kind: "JSON", text: sent };
  if (!type || /x-www-form-urlencoded/i.test(type))
    return { kind: "FORM_URLENCODED", fields: pairsOf(sent) };
  return { kind: "RAW_TEXT", text: sent };
}

/** A short option may carry its value, a long one may have it behind an equals sign. */
function splitOption(word: string): [option: string, value?: string] {
  const long = /^(--[\w-]+)=(.*)$/s.exec(word);
  if (long) return [long[1] ?? "", long[2] ?? ""];
  const short = /^(-[XHdFAebumo])(.+)$/s.exec(word);
  return short ? [short[1] ?? "", short[2] ?? ""] : [word];
}

function pairOf(text: string, sign: string): Pair {
  const at = text.indexOf(sign);
  return at < 0 ? [text.trim(), ""] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function pairsOf(query: string): readonly Pair[] {
  return [...new URLSearchParams(query)];
}

function encoded(given: string): string {
  const [name, value] = pairOf(given, "=");
  return given.includes("=") ? `${name}=${encodeURIComponent(value)}` : encodeURIComponent(given);
}

function headerOf(headers: readonly Pair[], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1] ?? "";
}

/** The words of a command: quotes of both kinds, `$'…'`, and backslashes. */
function wordsOf(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; at += 1) {
    const char = command[at] ?? "";
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= "";
    const isAnsi = char === "$" && command[at + 1] === "'";
    if (char === "'" || char === '"' || isAnsi) {
      const quote = isAnsi ? "'" : char;
      const [text, end] = quoted(command, at + (isAnsi ? 2 : 1), quote, isAnsi);
      word += text;
      at = end;
    } else if (char === "\\") {
      at += 1;
      word += command[at] ?? "";
    } else word += char;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** What stands between quotes, and where it ends. */
function quoted(
  command: string,
  from: number,
  quote: string,
  isAnsi: boolean,
): [text: string, end: number] {
  let text = "";
  for (let at = from; at < command.length; at += 1) {
    const char = command[at] ?? "";
    if (char === quote) return [text, at];
    const isEscape =
      char === "\\" && (isAnsi || (quote === '"' && /["\\$`]/.test(command[at + 1] ?? "")));
    if (isEscape) {
      at += 1;
      const next = command[at] ?? "";
      text += isAnsi ? (ESCAPES[next] ?? next) : next;
    } else text += char;
  }
  return [text, command.length];
}
