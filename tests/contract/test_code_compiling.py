"""Code that is only compiled: it is taken exactly if it would be taken to run, and nothing runs."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Final

import pytest

from infra.contract.code_runner import CodeConvention, CodeRequest, CodeResult, CodeStatus
from infra.impl.code_runner.runner import SandboxedCodeRunner
from tests.support.sandbox import images_folder, javascript, python, running

MAIN: Final = "function main() { return {}; }\n"
VALID: Final = {
    "arrow": "const main = async ({ params }) => ({ n: params?.a?.[0]?.b ?? 1 });",
    "assigned": "let main; main = function* () {}.constructor && (() => ({}));",
    "async iteration": MAIN + "async function f(x) { for await (const y of x) yieldless(y); }",
    "big integers": MAIN + "const n = () => 1_000n ** 2n + 0xFFn - 0b1n - 0o7n;",
    "catch without binding": MAIN + "try { f(); } catch { }",
    "class": MAIN + "class A extends Object { #x = 1; static #n; static { A.#n = 2; } "
    "get z() { return #x in this; } static async *m() { yield* []; } 'quoted'() {} 1() {} }",
    "comments": MAIN + "// a ' ` /* \n/* b // ' */ var c; <!-- html\n--> html",
    "destructuring": MAIN
    + "const { a: { b = 1, ...c } = {}, ['d']: e, ...f } = {}; [,, ...g] = [];",
    "directive": '"use strict";\n' + MAIN,
    "division": MAIN + "var a = 1, b = 2, g = 1, x = a / b / g, y = (a) / b, z = [1][0] / 2;",
    "exponent": MAIN + "const p = () => (-2) ** 2 ** 3;",
    "getters": MAIN
    + "const o = { get a() { return 1; }, set a(v) {}, async *b() {}, __proto__: null };",
    "groups": MAIN + r"const r = /(?<year>\d{4})-(?<=x)(?<!y)[^\]/\\]\k<year>/dgimsuy;",
    "hashbang": "#!/usr/bin/env node\n" + MAIN,
    "labels": MAIN + "a: for (;;) { b: for (;;) continue a; }",
    "line continued": MAIN + "var s = 'a\\\nb';",
    "logical assignment": MAIN + "var a; a ||= 1; a &&= 2; a ??= 3;",
    "names": MAIN + "var await = 1, async = 2, of = 3, get = 4, let_ = 5, ünï = 6, $ = 7, _ = 8;",
    "new target": MAIN + "function F() { return new.target?.name; }",
    "no semicolons": "const a = 1\nconst b = 2\nfunction main() { return { a }\n}\nif (a)",
    "octal in sloppy code": MAIN + "var o = 010, t = '\\07'; with (Math) { }",
    "parameters": MAIN + "function f(a, { b = 2, c } = {}, [d] = [], ...e,) {}".replace(",)", ")"),
    "pattern after keyword": MAIN
    + "const f = () => { if (1) /a'/.test('x'); return /[/]/.test('y'); };",
    "reserved as members": MAIN + "var o = { class: 1, new: 2 }; o.if = o.class; o?.delete;",
    "sets of characters": MAIN + r"const r = /[[a-z]--[aeiou]]/v;",
    "template": MAIN + "const t = `a ${`b ${{ c: '}' }.c}`} \\` $ { ${1}`; String.raw`\\u`;",
    "trailing commas": MAIN + "f = (a, b,) => [a, b,,]; f(1, 2,);",
    "unicode escapes": MAIN + "var \\u0061b = '\\u{1F600}';",
}
INVALID: Final = {
    "bracket too many": MAIN + "}",
    "brackets missing": "function main() { return {};",
    "class twice": MAIN + "class A { constructor() {} constructor() {} }",
    "export": "export default function main() { return {}; }",
    "import": "import x from 'x';\n" + MAIN,
    "await outside": "function main() { await 1; }",
    "top-level await": "const a = await fetch_();\n" + MAIN,
    "return outside": "return {};\n" + MAIN,
    "break outside": "function main() { break; }",
    "let twice": "function main() { let a; let a; }",
    "const without value": "function main() { const a; }",
    "assignment to a value": "function main() { 1 = 2; }",
    "member missing": "function main() { return a.; }",
    "operator missing": "function main() { return a b; }",
    "operand missing": "function main() { return 1 + ; }",
    "open text": "function main() { return 'a; }",
    "open template": "function main() { return `a ${1; }",
    "open pattern": "function main() { return /a; }",
    "wrong pattern": "function main() { return /(/; }",
    "wrong flags": "function main() { return /a/xy; }",
    "private of nobody": "function main() { return this.#a; }",
    "with in strict code": "'use strict'; with (Math) { }\n" + MAIN,
    "with in strict code after comments": "// a\n/* b */ 'use strict'; with (Math) { }\n" + MAIN,
    "spread alone": "function main() { return ...[1]; }",
    "python": "def main(args):\n    return {}",
    "typescript": "function main(a: string): number { return 1; }",
    "leaving the frame": MAIN + "//\n}throw null;{",
}
PYTHON_VALID: Final = {
    "decorators": "@lambda f: f\nasync def main(args): return [x async for x in args]",
    "match": "def main(args):\n    match args:\n        case {'a': [1, *_]} if True: return {}",
    "walrus": "def main(args):\n    if (n := 1) > 0: return {'n': f'{n=!r:>10}'}\n    return {}",
    "escapes": "def main(args): return {'a': '\\d'}",
    "endless": "while True: pass\ndef main(args): return {}",
}
PYTHON_INVALID: Final = {
    "brackets": "def main(args):\n    return {",
    "indentation": "def main(args):\nreturn {}",
    "tabs": "def main(args):\n\tif 1:\n        return {}",
    "return outside": "return {}\ndef main(args): return {}",
    "await outside": "def main(args): return await args",
    "argument twice": "def main(a, a): return {}",
    "nonlocal": "def main(a):\n    nonlocal b\n    return {}",
    "zero": "def main(a): return {'a': '\0'}",
    "javascript": MAIN,
}
NEWER_PYTHON: Final = {
    "generics": "type Pair[T] = tuple[T, T]\ndef main(args): return {}",
    "nested quotes": "def main(args): return {'a': f'{'b'}'}",
}


@pytest.fixture(scope="module")
async def wasm(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[SandboxedCodeRunner, None]:
    async with running("wasm", images_folder(tmp_path_factory)) as started:
        yield started


@pytest.fixture(scope="module")
async def jail(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[SandboxedCodeRunner, None]:
    async with running("jail", images_folder(tmp_path_factory)) as started:
        yield started


@pytest.fixture(params=["wasm", "jail"])
def runner(request: pytest.FixtureRequest) -> SandboxedCodeRunner:
    found: SandboxedCodeRunner = request.getfixturevalue(request.param)
    return found


async def compiled(runner: SandboxedCodeRunner, request: CodeRequest) -> CodeResult:
    result = await runner.run(replace(request, only_compiles=True))
    assert result.stdout == ""
    assert result.status is not CodeStatus.OK or result.result == {}
    return result


@pytest.mark.parametrize("convention", CodeConvention)
@pytest.mark.parametrize("name", VALID)
async def test_valid_javascript_is_taken(
    wasm: SandboxedCodeRunner, name: str, convention: CodeConvention
) -> None:
    result = await compiled(wasm, replace(javascript(VALID[name]), convention=convention))

    assert result.status is CodeStatus.OK, result.error


@pytest.mark.parametrize("name", INVALID)
async def test_invalid_javascript_is_refused_as_it_would_be_when_it_runs(
    wasm: SandboxedCodeRunner, name: str
) -> None:
    request = javascript(INVALID[name])

    result, run = await compiled(wasm, request), await wasm.run(request)

    assert result.status is run.status is CodeStatus.USER_ERROR
    assert result.error is not None
    assert result.error == run.error
    assert result.error.type == "SyntaxError"


@pytest.mark.parametrize("name", VALID)
async def test_what_is_taken_compiles_when_it_runs(wasm: SandboxedCodeRunner, name: str) -> None:
    run = await wasm.run(javascript(VALID[name], timeout_ms=300))

    assert run.error is None or run.error.type != "SyntaxError"


@pytest.mark.parametrize("name", [*PYTHON_VALID, *PYTHON_INVALID])
async def test_python_is_taken_or_refused_as_it_would_be_when_it_runs(
    runner: SandboxedCodeRunner, name: str
) -> None:
    source = PYTHON_VALID.get(name) or PYTHON_INVALID[name]

    result = await compiled(runner, python(source))

    assert (result.status is CodeStatus.OK) is (name in PYTHON_VALID), result.error
    if name in PYTHON_INVALID:
        assert result.error == (await runner.run(python(source))).error


@pytest.mark.parametrize("name", NEWER_PYTHON)
async def test_python_of_the_sandbox_decides_not_that_of_the_server(
    wasm: SandboxedCodeRunner, name: str
) -> None:
    result = await compiled(wasm, python(NEWER_PYTHON[name]))

    assert result.status is CodeStatus.OK, result.error


@pytest.mark.parametrize(
    "source", ["console.log(1); for (;;);", "throw 1", "main = 1; main()", "null.x", ""]
)
async def test_javascript_that_is_compiled_does_not_run(
    wasm: SandboxedCodeRunner, source: str
) -> None:
    result = await compiled(wasm, javascript(source, timeout_ms=60_000))

    assert result.status is CodeStatus.OK, result.error


@pytest.mark.parametrize(("above", "line"), [("", 1), ("\n", 2), ("// a\n/* b\n*/", 3)])
@pytest.mark.parametrize("strict", ["", "'use strict'\n"])
async def test_an_error_of_syntax_names_its_line(
    wasm: SandboxedCodeRunner, above: str, line: int, strict: str
) -> None:
    result = await compiled(wasm, javascript(f"{strict}{above}let a a; function main() {{}}"))

    assert result.error is not None
    assert result.error.line == line + strict.count("\n")
