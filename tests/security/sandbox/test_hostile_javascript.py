"""Hostile JavaScript stays in, and code in good faith works."""

from typing import Any

import pytest

from infra.contract.code_runner import CodeStatus
from infra.impl.code_runner.runner import SandboxedCodeRunner
from tests.support.sandbox import javascript

HARMLESS = "function main() { return { fine: true }; }"

BOMBS = {
    "loop": ("while (true);", {CodeStatus.TIMEOUT}),
    "asynchronous loop": ("while (true) await null;", {CodeStatus.TIMEOUT}),
    "timers without end": (
        "const f = () => setTimeout(f, 1); f(); await new Promise(() => 0);",
        {CodeStatus.TIMEOUT},
    ),
    "regular expression": ("/^(a+)+$/.test('a'.repeat(40) + 'b');", {CodeStatus.TIMEOUT}),
    "memory": ("const a = []; for (;;) a.push(new Array(1e5).fill(1));", {CodeStatus.OOM}),
    "text": ("let s = 'x'; for (;;) s += s;", {CodeStatus.OOM, CodeStatus.USER_ERROR}),
    "buffer": ("new ArrayBuffer(2 ** 31)", {CodeStatus.OOM, CodeStatus.USER_ERROR}),
    "recursion": ("const f = () => f() + 1; f();", {CodeStatus.USER_ERROR}),
    "sixty megabytes": (
        "return { x: 'x'.repeat(60e6) };",
        {CodeStatus.OOM, CodeStatus.OUTPUT_TOO_LARGE},
    ),
    "two megabytes": ("return { x: 'ä'.repeat(1e6) };", {CodeStatus.OUTPUT_TOO_LARGE}),
    "deep": (
        "let x = {}; for (let i = 0; i < 1e5; i++) x = { x }; return x;",
        {CodeStatus.OUTPUT_TOO_LARGE},
    ),
    "circle": ("const x = {}; x.x = x; return x;", {CodeStatus.OUTPUT_TOO_LARGE}),
    "not a number": ("return { x: [0 / 0] };", {CodeStatus.USER_ERROR}),
    "no object": ("return [1];", {CodeStatus.USER_ERROR}),
    "big integer": ("return { x: 10n };", {CodeStatus.USER_ERROR}),
    "never settled": ("await new Promise(() => 0);", {CodeStatus.USER_ERROR}),
    "import": ("return { ...(await import('fs')) };", {CodeStatus.USER_ERROR}),
    "require": ("return require('child_process');", {CodeStatus.USER_ERROR}),
    "process": ("return { e: process.env };", {CodeStatus.USER_ERROR}),
    "fetch": ("return await fetch('http://169.254.169.254/');", {CodeStatus.USER_ERROR}),
    "network module": ("return new XMLHttpRequest();", {CodeStatus.USER_ERROR}),
    "engine modules": ("return std.loadFile('/etc/passwd');", {CodeStatus.USER_ERROR}),
    "function constructor": (
        "return { x: (() => {}).constructor('return process.env')() };",
        {CodeStatus.USER_ERROR},
    ),
    "worker": ("return new Worker('x');", {CodeStatus.USER_ERROR}),
    "blocking wait": (
        "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60000);",
        {CodeStatus.USER_ERROR, CodeStatus.FORBIDDEN, CodeStatus.TIMEOUT},
    ),
    "unprintable": (
        "throw Object.create(Error.prototype, { message: { get() { throw 1; } } });",
        {CodeStatus.USER_ERROR},
    ),
    "proxy": (
        "return new Proxy({}, { ownKeys() { throw new Error('caught'); } });",
        {CodeStatus.USER_ERROR},
    ),
    "broken built-ins": (
        "JSON.stringify = 1; String.prototype.slice = 1; Array.prototype.push = 1;"
        " Object.prototype.then = (f) => f({}); throw new Error('x');",
        {CodeStatus.USER_ERROR},
    ),
}


@pytest.mark.parametrize("name", BOMBS)
async def test_every_bomb_ends_with_its_status_and_the_next_run_works(
    wasm: SandboxedCodeRunner, name: str
) -> None:
    code, statuses = BOMBS[name]
    patience = 500 if CodeStatus.TIMEOUT in statuses else 60_000

    result = await wasm.run(javascript(f"async function main() {{ {code} }}", timeout_ms=patience))

    assert result.status in statuses, result
    assert result.error is not None
    assert len(result.error.message.encode()) <= 4096
    assert (await wasm.run(javascript(HARMLESS))).result == {"fine": True}


async def test_nothing_survives_from_one_run_to_the_next(wasm: SandboxedCodeRunner) -> None:
    code = (
        "function main() {"
        " const seen = [typeof planted, typeof Array.prototype.planted];"
        " globalThis.planted = 1; Array.prototype.planted = 1;"
        " return { seen, number: Math.random() }; }"
    )

    first, second = [await wasm.run(javascript(code)) for _ in range(2)]

    assert first.result == second.result
    assert first.result is not None
    assert first.result["seen"] == ["undefined", "undefined"]


@pytest.mark.parametrize(
    ("code", "params", "result"),
    [
        ("function main({params}) { return {n: params.a + 1} }", {"a": 1}, {"n": 2}),
        ("const main = async ({ params: { a } }) => ({ a });", {"a": [1]}, {"a": [1]}),
        (
            "async function main({params}) {\n"
            "  const { list } = params;\n"
            "  return { sum: list.reduce((a, b) => a + b, 0), top: Math.max(...list) };\n"
            "}",
            {"list": [3, 1, 2]},
            {"sum": 6, "top": 3},
        ),
        (
            "async function main() {"
            " const one = (n) => new Promise(r => setTimeout(() => r(n), n));"
            " return { all: await Promise.all([one(3000), one(1)]) } }",
            {},
            {"all": [3000, 1]},
        ),
        (
            "function main({params}) { return JSON.parse(params.t.match(/{.*}/s)[0]) }",
            {"t": 'x {"a": "ä"} y'},
            {"a": "ä"},
        ),
        (
            "function main() { return { d: new Date(0).toISOString(), u: undefined } }",
            {},
            {"d": "1970-01-01T00:00:00.000Z"},
        ),
    ],
)
async def test_code_in_good_faith_works(
    wasm: SandboxedCodeRunner, code: str, params: dict[str, Any], result: dict[str, Any]
) -> None:
    assert (await wasm.run(javascript(code, params))).result == result


async def test_an_error_names_its_line(wasm: SandboxedCodeRunner) -> None:
    thrown = await wasm.run(
        javascript("function main() {\n  const a = 1;\n  throw new TypeError('no');\n}")
    )
    unfinished = await wasm.run(javascript("function main() {\n  return {\n"))

    assert thrown.error is not None
    assert (thrown.error.type, thrown.error.line) == ("TypeError", 3)
    assert unfinished.error is not None
    assert unfinished.error.type == "SyntaxError"


async def test_what_the_code_logs_is_kept_up_to_its_limit(wasm: SandboxedCodeRunner) -> None:
    short = await wasm.run(
        javascript("function main() { console.log('a', { b: 1 }); console.error(2); return {} }")
    )
    long = await wasm.run(
        javascript("function main() { for (let i = 0; i < 9e4; i++) console.log('ä'); return {} }")
    )

    assert short.stdout == 'a {"b":1}\n2\n'
    assert long.stdout_truncated
    assert len(long.stdout.encode()) <= 64 * 1024
