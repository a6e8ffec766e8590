/** What a piece of code is, for its colour. */
export type Shade = "remark" | "quoted" | "word" | "number" | "name";

export type Piece = { readonly text: string; readonly shade: Shade | undefined };

/** A language as regular expressions of what is coloured; the first that fits at a place counts. */
type Grammar = { readonly [shade in Shade]?: string } & { readonly isCaseless?: boolean };

const SHADES = ["remark", "quoted", "name", "number", "word"] as const;

const BLOCK = "/\\*[^]*?(?:\\*/|$(?![^]))";
const SLASHES = `//.*|${BLOCK}`;
const HASH = "#.*";
const DOUBLE = '"(?:\\\\[^]|[^"\\\\\\n])*"';
const SINGLE = "'(?:\\\\[^]|[^'\\\\\\n])*'";
const BACKTICKS = "`(?:\\\\[^]|[^`\\\\])*`";
const NUMBER =
  "\\b(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d[\\d_]*)?(?:[eE][+-]?\\d+)?)\\w*\\b";

function words(list: string): string {
  return `\\b(?:${list.trim().split(/\s+/).join("|")})\\b`;
}

/** What languages that look like C have in common, with words of their own. */
function likeC(list: string, more: Partial<Grammar> = {}): Grammar {
  return {
    remark: SLASHES,
    quoted: `${DOUBLE}|${SINGLE}`,
    number: NUMBER,
    word: words(list),
    ...more,
  };
}

const C = `auto bool break case char class const constexpr continue default delete do double else enum
  explicit extern false final float for friend goto if inline int long namespace new nullptr
  operator override private protected public register return short signed sizeof static struct
  switch template this throw true try catch typedef typename union unsigned using virtual void
  volatile while`;

const GRAMMARS = {
  python: {
    remark: HASH,
    quoted: `(?:\\b[rbfuRBFU]{1,2})?(?:"""[^]*?(?:"""|$(?![^]))|'''[^]*?(?:'''|$(?![^])))|${DOUBLE}|${SINGLE}`,
    name: "^[ \\t]*@[\\w.]+",
    number: NUMBER,
    word: words(`False None True and as assert async await break class continue def del elif else
      except finally for from global if import in is lambda match nonlocal not or pass raise return
      try while with yield`),
  },
  javascript: likeC(
    `as async await break case catch class const continue debugger default delete do else enum
    export extends false finally for from function get if implements import in instanceof interface
    let new null of private protected public readonly return satisfies set static super switch this
    throw true try type typeof undefined var void while yield`,
    { quoted: `${DOUBLE}|${SINGLE}|${BACKTICKS}` },
  ),
  json: {
    remark: SLASHES,
    name: `${DOUBLE}(?=\\s*:)`,
    quoted: `${DOUBLE}(?!\\s*:)`,
    number: `-?${NUMBER}`,
    word: words("true false null"),
  },
  java: likeC(
    `abstract assert boolean break byte case catch char class const continue default do double else
    enum extends final finally float for goto if implements import instanceof int interface long
    native new null package permits private protected public record return sealed short static
    super switch synchronized this throw throws transient true false try var void volatile while
    yield`,
    { name: "@\\w+", quoted: `"""[^]*?"""|${DOUBLE}|${SINGLE}` },
  ),
  kotlin: likeC(
    `abstract as break by class companion const continue data do else enum false final for fun if
    import in inline inner interface internal is lateinit null object open operator out override
    package private protected public return sealed super suspend this throw true try typealias val
    var vararg when while`,
    { name: "@\\w+", quoted: `"""[^]*?"""|${DOUBLE}|${SINGLE}` },
  ),
  c: likeC(C, { name: "^[ \\t]*#[ \\t]*\\w+" }),
  csharp: likeC(
    `abstract as async await base bool break byte case catch char checked class const continue
    decimal default delegate do double else enum event explicit extern false finally fixed float
    for foreach get goto if implicit in int interface internal is lock long namespace new null
    object operator out override params private protected public readonly record ref return sbyte
    sealed set short sizeof static string struct switch this throw true try typeof uint ulong
    ushort using var virtual void volatile when where while yield`,
    { quoted: `@"(?:[^"]|"")*"|${DOUBLE}|${SINGLE}` },
  ),
  go: likeC(
    `any break case chan const continue default defer else error fallthrough false for func go goto
    if import int interface map nil package range return select string struct switch true type
    var`,
    { quoted: `${DOUBLE}|${SINGLE}|\`[^\`]*\`` },
  ),
  rust: likeC(
    `as async await break const continue crate dyn else enum extern false fn for if impl in let loop
    match mod move mut pub ref return self Self static struct super trait true type unsafe use
    where while`,
    { name: "#!?\\[[^\\]]*\\]|\\b\\w+!", quoted: `${DOUBLE}|'(?:\\\\.|[^'\\\\\\n])'` },
  ),
  swift: likeC(
    `as async await break case catch class continue default defer do else enum extension false for
    func guard if import in init inout internal is let nil open private protocol public repeat
    return self Self static struct super switch throw throws true try var where while`,
    { name: "@\\w+", quoted: `"""[^]*?"""|${DOUBLE}` },
  ),
  php: likeC(
    `abstract and array as break case catch class clone const continue declare default do echo else
    elseif empty enum extends false final finally fn for foreach function global if implements
    include instanceof interface isset list match namespace new null or private protected public
    readonly require return static switch throw trait true try unset use var while yield`,
    { remark: `${SLASHES}|${HASH}`, name: "\\$\\w+" },
  ),
  ruby: {
    remark: HASH,
    quoted: `${DOUBLE}|${SINGLE}`,
    name: "(?<![:\\w]):\\w+|@{1,2}\\w+",
    number: NUMBER,
    word: words(`alias and begin break case class def defined do else elsif end ensure false for if
      in module next nil not or redo require rescue retry return self super then true undef unless
      until when while yield`),
  },
  shell: {
    remark: "(?<=^|[\\s;])#.*",
    quoted: `"(?:\\\\[^]|[^"\\\\])*"|'[^']*'`,
    name: "\\$(?:\\{[^}\\n]*\\}|\\w+|[@#?*!$-])|(?<=\\s)--?[A-Za-z][\\w-]*",
    word: words(`if then else elif fi for while until do done case esac in function return export
      local set unset source exit cd echo sudo`),
  },
  sql: {
    isCaseless: true,
    remark: `--.*|${BLOCK}`,
    quoted: "'(?:''|\\\\[^]|[^'\\\\])*'",
    name: `${DOUBLE}|\`[^\`\\n]*\``,
    number: NUMBER,
    word: words(`add all alter and as asc begin between by case cascade check column commit constraint
      create cross database default delete desc distinct drop else end except exists false foreign
      from full group having if in index inner insert intersect into is join key left like limit not
      null offset on or order outer over partition primary references returning right rollback row
      rows select set table then to true union unique update using values view when where window
      with`),
  },
  markup: {
    remark: "<!--[^]*?(?:-->|$(?![^]))",
    word: "</?[A-Za-z][\\w:.-]*|/?>",
    quoted: `(?<==\\s*)(?:"[^"]*"|'[^']*')`,
    name: "(?<=\\s)[A-Za-z_:@][\\w:.-]*(?=\\s*=\\s*[\"'{])",
    number: "&#?\\w+;",
  },
  css: {
    remark: BLOCK,
    quoted: `${DOUBLE}|${SINGLE}`,
    name: "(?<=[{;\\s])--?[\\w-]+(?=\\s*:)|(?<=[{;\\s])[a-z-]+(?=\\s*:\\s)",
    number: "#[\\da-fA-F]{3,8}\\b|(?<![\\w-])-?\\d*\\.?\\d+(?:%|[a-z]+)?\\b",
    word: "@[\\w-]+|!important\\b",
  },
  yaml: {
    remark: "(?<=^|\\s)#.*",
    quoted: `${DOUBLE}|'(?:''|[^'\\n])*'`,
    name: "(?<=^[ \\t]*(?:- +)*)[\\w./-]+(?=\\s*:(?:\\s|$))",
    number: `(?<=[:\\s-])-?${NUMBER}`,
    word: `${words("true false null yes no on off")}|[&*]\\w+`,
  },
  ini: {
    remark: "(?<=^|\\s)[#;].*",
    quoted: `"""[^]*?"""|${DOUBLE}|${SINGLE}`,
    name: '^[ \\t]*[\\w."-]+(?=\\s*=)',
    number: NUMBER,
    word: `^\\s*\\[[^\\n]*\\]|${words("true false")}`,
  },
  diff: {
    quoted: "^\\+.*",
    number: "^-.*",
    word: "^(?:@@.*|diff .*|index .*)",
  },
} satisfies Record<string, Grammar>;

export type Language = keyof typeof GRAMMARS;

/** Names under which people and models write of languages, besides their own. */
const NAMES: Readonly<Record<string, Language>> = {
  bash: "shell",
  "c#": "csharp",
  "c++": "c",
  cc: "c",
  console: "shell",
  cpp: "c",
  cs: "csharp",
  h: "c",
  hpp: "c",
  html: "markup",
  js: "javascript",
  json5: "json",
  jsonc: "json",
  jsonl: "json",
  jsx: "javascript",
  kt: "kotlin",
  less: "css",
  mjs: "javascript",
  patch: "diff",
  py: "python",
  python3: "python",
  rb: "ruby",
  rs: "rust",
  scss: "css",
  sh: "shell",
  svg: "markup",
  toml: "ini",
  ts: "javascript",
  tsx: "javascript",
  typescript: "javascript",
  vue: "markup",
  xml: "markup",
  yml: "yaml",
  zsh: "shell",
};

export function languageOf(name: string): Language | undefined {
  const low = name.toLowerCase();
  return isLanguage(low) ? low : NAMES[low];
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(GRAMMARS, name);
}

/** What is coloured in a language; each match has a group named by its shade. */
export function patternOf(language: Language): RegExp {
  const grammar: Grammar = GRAMMARS[language];
  const parts = SHADES.flatMap((shade) =>
    grammar[shade] ? [`(?<${shade}>${grammar[shade]})`] : [],
  );
  return new RegExp(parts.join("|"), grammar.isCaseless ? "gim" : "gm");
}

export function shadeOf(match: RegExpExecArray): Shade | undefined {
  return SHADES.find((shade) => match.groups?.[shade] !== undefined);
}

/** Code in pieces that are of one shade each; joined they are the code. */
export function coloured(code: string, language: Language): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of code.matchAll(patternOf(language))) {
    if (match.index > at) pieces.push({ text: code.slice(at, match.index), shade: undefined });
    if (match[0]) pieces.push({ text: match[0], shade: shadeOf(match) });
    at = match.index + match[0].length;
  }
  if (at < code.length) pieces.push({ text: code.slice(at), shade: undefined });
  return pieces;
}
