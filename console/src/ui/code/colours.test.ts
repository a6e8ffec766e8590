import fc from "fast-check";
import { expect, test } from "vitest";
import { coloured, type Language, languageOf, type Shade } from "./colours";

function of(code: string, language: Language, shade: Shade): string[] {
  return coloured(code, language).flatMap((each) => (each.shade === shade ? [each.text] : []));
}

test.each<[Language, string, Shade, string[]]>([
  [
    "python",
    'def f(x):  # why\n    return f"{x}" if x else None',
    "word",
    ["def", "return", "if", "else", "None"],
  ],
  ["python", "# def\nx = '# no'", "remark", ["# def"]],
  ["python", '"""a\ndef\n"""', "quoted", ['"""a\ndef\n"""']],
  ["javascript", "const a = `b`; // let\n/* if\nthen */", "remark", ["// let", "/* if\nthen */"]],
  ["json", '{"a": "b", "c": -1.5e3, "d": [true, null]}', "name", ['"a"', '"c"', '"d"']],
  ["json", '{"a": "b", "c": -1.5e3, "d": [true, null]}', "number", ["-1.5e3"]],
  ["json", '{"a": "b", "c": [true, null]}', "word", ["true", "null"]],
  ["sql", "SELECT a FROM \"t\" where b = 'it''s' -- so", "word", ["SELECT", "FROM", "where"]],
  ["sql", "select 'it''s'", "quoted", ["'it''s'"]],
  ["shell", "curl --fail $URL # get", "name", ["--fail", "$URL"]],
  ["markup", '<a href="/x">b</a><!-- c -->', "word", ["<a", ">", "</a", ">"]],
  ["yaml", "a: 1\nb:\n  - c: 'd' # e", "name", ["a", "b", "c"]],
  ["css", ".a { color: #fff; --b: 2px }", "number", ["#fff", "2px"]],
  ["diff", "@@ -1 +1 @@\n-a\n+b\n c", "quoted", ["+b"]],
  ["go", 'func main() { fmt.Println("x") }', "word", ["func"]],
  ["rust", "fn main() { println!(\"{}\", 'a') }", "name", ["println!"]],
])("%s: %j has its %ss", (language, code, shade, found) => {
  expect(of(code, language, shade)).toEqual(found);
});

test("joined, the pieces are the code, in every language", () => {
  const names = [
    "python",
    "ts",
    "json",
    "java",
    "kt",
    "c++",
    "cs",
    "go",
    "rs",
    "swift",
    "php",
    "rb",
    "sh",
    "sql",
    "html",
    "css",
    "yml",
    "toml",
    "diff",
  ];
  const languages = names.map((name) => languageOf(name) ?? expect.unreachable(name));
  const sign = fc.constantFrom(
    '"',
    "'",
    "`",
    "/*",
    "*/",
    "//",
    "#",
    "\n",
    "a",
    " ",
    "1",
    "<",
    ">",
    "--",
    "$",
    "\\",
    ":",
    "=",
    "@",
    "{",
    "}",
    "知",
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...languages),
      fc.array(sign, { maxLength: 60 }),
      (language, signs) => {
        const code = signs.join("");
        expect(
          coloured(code, language)
            .map(({ text }) => text)
            .join(""),
        ).toBe(code);
      },
    ),
  );
});

test("a language that nobody knows has no colours", () => {
  expect([languageOf("PYTHON"), languageOf("toString"), languageOf("")]).toEqual([
    "python",
    undefined,
    undefined,
  ]);
});
