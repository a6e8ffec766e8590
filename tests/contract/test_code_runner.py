"""What every runner of users' code promises."""

import asyncio
import base64
import hmac
import json
import sys
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.shared.error import InvalidRequest, RequestTooLarge
from infra.contract.code_runner import (
    CodeConvention,
    CodeLanguage,
    CodeRequest,
    CodeRunner,
    CodeStatus,
)
from infra.impl.code_runner.by_language import CodeRunnerByLanguage
from infra.impl.code_runner.jail.sandbox import JailSandbox
from infra.impl.code_runner.modules import code_modules
from infra.impl.code_runner.off import NoCodeRunner
from infra.impl.code_runner.runner import SandboxedCodeRunner
from infra.impl.code_runner.wasm.sandbox import WasmSandbox
from infra.impl.code_runner.wire import BadReply, decode_reply
from tests.contract.code_snippets import SNIPPETS
from tests.support.sandbox import NOW_MS, SPACE, images_folder, javascript, python, running

ECHO = {
    CodeLanguage.PYTHON: "def main(args): return args.params",
    CodeLanguage.JAVASCRIPT: "async function main({ params }) { return params; }",
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


@pytest.mark.parametrize("name", SNIPPETS)
async def test_users_code_answers_alike_everywhere(
    wasm: SandboxedCodeRunner, jail: SandboxedCodeRunner, name: str
) -> None:
    code, params = SNIPPETS[name]

    first, second = await wasm.run(python(code, params)), await jail.run(python(code, params))

    assert first.status is CodeStatus.OK, first
    assert json.dumps(first.result) == json.dumps(second.result)
    assert first.stdout == second.stdout


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('datetime').datetime.strptime('2024', '%Y').year",
        "'ä'.encode('gb18030').hex() + 'x'.encode('utf-16-le').hex() + 'ü.de'.encode('idna').hex()",
        "__import__('xml.dom.minidom').dom.minidom.parseString('<a>b</a>').toprettyxml()",
        "__import__('email.message').message.EmailMessage().as_string()",
        "__import__('uuid').uuid5(__import__('uuid').NAMESPACE_DNS, 'x').hex",
        "__import__('tomllib').loads('a = 1')['a']",
        "__import__('ast').literal_eval('[1, 2]')",
        "__import__('calendar').monthrange(2024, 2)",
        "__import__('difflib').get_close_matches('aple', ['apple', 'pear'])",
        "__import__('pprint').pformat({'b': 1, 'a': 2})",
        "len(__import__('secrets').token_hex(8))",
        "__import__('locale').getlocale() is not None",
        "__import__('inspect').signature(main).parameters is not None",
        "__import__('pathlib').PurePosixPath('a/b.c').suffix",
        "__import__('traceback').format_exception_only(ValueError('x'))",
        "'%s' % __import__('time').strftime('%Y', __import__('time').gmtime(0))",
    ],
)
async def test_what_the_library_loads_late_is_there(
    wasm: SandboxedCodeRunner, jail: SandboxedCodeRunner, expression: str
) -> None:
    request = python(f"def main(args):\n    return {{'x': {expression}}}")

    first, second = await wasm.run(request), await jail.run(request)

    assert first.status is CodeStatus.OK, first
    assert json.dumps(first.result) == json.dumps(second.result)


async def test_the_cost_of_a_run_is_told(runner: SandboxedCodeRunner) -> None:
    result = await runner.run(python("def main(args): return {'n': sum(range(300_000))}"))

    assert result.cpu_ms > 0
    assert result.duration_ms > 0
    assert 5 < result.peak_mb < 500
    assert result.engine.startswith(("wasm:python:", "jail:python:"))


async def test_the_same_seed_gives_the_same_numbers(runner: SandboxedCodeRunner) -> None:
    request = python("import random\ndef main(args): return {'n': random.random()}")

    first, second = await runner.run(request), await runner.run(request)

    assert first.result == second.result


async def test_an_error_names_its_line_and_nothing_of_the_host(runner: SandboxedCodeRunner) -> None:
    result = await runner.run(python("def main(args):\n    x = 1\n    return 1 / (x - 1)"))

    assert result.status is CodeStatus.USER_ERROR
    assert result.error is not None
    assert (result.error.type, result.error.line) == ("ZeroDivisionError", 3)
    assert result.error.message == "division by zero"
    assert "infra" not in repr(result.error)


async def test_code_that_does_not_compile_names_its_line(runner: SandboxedCodeRunner) -> None:
    result = await runner.run(python("def main(args):\n    return {\n"))

    assert result.error is not None
    assert (result.error.type, result.error.line) == ("SyntaxError", 2)


async def test_without_main_nothing_runs(runner: SandboxedCodeRunner) -> None:
    result = await runner.run(python("x = 1"))

    assert result.error is not None
    assert "main" in result.error.message


@pytest.mark.parametrize("module", ["threading", "socket", "subprocess", "multiprocessing"])
async def test_modules_that_code_nodes_never_had_are_refused(
    runner: SandboxedCodeRunner, module: str
) -> None:
    result = await runner.run(python(f"import {module}\ndef main(args): return {{}}"))

    assert result.error is not None
    assert result.error.type == "ModuleNotFoundError"
    assert module in result.error.message


_IMPORTS = """
def main(args):
    found = []
    for name in args.params.names:
        try:
            exec(f"import {name}")
        except ImportError:
            continue
        found.append(name)
    return {"found": found}
"""


@pytest.mark.parametrize("kind", ["wasm", "jail"])
async def test_the_modules_that_are_promised_are_there_and_no_others(
    wasm: SandboxedCodeRunner, jail: SandboxedCodeRunner, kind: Literal["wasm", "jail"]
) -> None:
    runner = {"wasm": wasm, "jail": jail}[kind]
    promised = code_modules(kind, ()).here
    names = {each for each in (*sys.stdlib_module_names, *promised) if not each.startswith("_")}
    asked = sorted(names - {"antigravity", "this", "idlelib", "turtledemo"})  # some are not packed

    result = await runner.run(python(_IMPORTS, {"names": asked}, timeout_ms=60_000))

    assert result.result is not None, result.error
    found = result.result["found"]
    assert isinstance(found, list)
    assert set(found) == {each for each in asked if each in promised}


async def test_the_clock_of_the_webassembly_sandbox_shows_the_requests_time(
    wasm: SandboxedCodeRunner,
) -> None:
    both = (
        python("import time\ndef main(args): return {'ms': int(time.time() * 1000)}"),
        javascript("function main() { return { ms: Date.now() }; }"),
    )

    for request in both:
        result = (await wasm.run(request)).result
        assert result is not None
        assert 0 <= int(str(result["ms"])) - NOW_MS < 60_000


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), JSON, max_size=6)
PROPERTY = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@given(params=st.lists(OBJECTS, min_size=1, max_size=1))
@PROPERTY
async def test_parameters_come_back_unchanged(
    wasm: SandboxedCodeRunner, params: list[dict[str, object]]
) -> None:
    result = await wasm.run(python(ECHO[CodeLanguage.PYTHON], params[0]))

    assert result.result == params[0], result


async def test_odd_values_come_back_unchanged(runner: SandboxedCodeRunner) -> None:
    params = {
        "big": 2**200,
        "negative": -(2**63) - 1,
        "small": 5e-324,
        "minus zero": -0.0,
        "half a pair": "\ud800",
        "nul": "a\0b",
        "separators": "\u2028\u2029",
        "": [[], {}, None],
        "__class__": 1,
    }

    result = await runner.run(python(ECHO[CodeLanguage.PYTHON], params))

    assert result.result == params
    assert str(result.result["minus zero"]) == "-0.0"


async def test_javascript_gives_back_what_it_can_hold(wasm: SandboxedCodeRunner) -> None:
    params = {"n": 2**53, "f": 0.1, "t": "ü🎉\ud800", "l": [None, True, {"__proto__": 1}], "": {}}

    result = await wasm.run(javascript(ECHO[CodeLanguage.JAVASCRIPT], params))

    assert result.result == params


async def test_large_values_pass_and_larger_ones_do_not(runner: SandboxedCodeRunner) -> None:
    text = "ä" * 500_000

    result = await runner.run(python(ECHO[CodeLanguage.PYTHON], {"t": text}))

    assert result.result == {"t": text}
    with pytest.raises(RequestTooLarge):
        await runner.run(python(ECHO[CodeLanguage.PYTHON], {"t": text * 2}))


@pytest.mark.parametrize("params", [{"x": float("nan")}, {"x": object()}, {"x": {1}}])
async def test_parameters_that_are_not_json_are_refused(
    wasm: SandboxedCodeRunner, params: dict[str, object]
) -> None:
    with pytest.raises(InvalidRequest):
        await wasm.run(python(ECHO[CodeLanguage.PYTHON], params))


def test_requests_outside_the_limits_are_refused() -> None:
    with pytest.raises(RequestTooLarge):
        python("x" * 300_000)
    with pytest.raises(InvalidRequest):
        python("", timeout_ms=60_001)
    with pytest.raises(InvalidRequest):
        CodeRequest(
            space_id=SPACE,
            language=CodeLanguage.PYTHON,
            code="",
            params={},
            now_ms=0,
            seed=0,
            memory_mb=1024,
        )


async def test_a_language_without_a_sandbox_is_unavailable(jail: SandboxedCodeRunner) -> None:
    result = await jail.run(javascript(ECHO[CodeLanguage.JAVASCRIPT]))

    assert result.status is CodeStatus.UNAVAILABLE


async def test_each_language_has_its_own_sandbox(
    wasm: SandboxedCodeRunner, jail: SandboxedCodeRunner
) -> None:
    both = CodeRunnerByLanguage({CodeLanguage.PYTHON: jail, CodeLanguage.JAVASCRIPT: wasm})

    first = await both.run(python(ECHO[CodeLanguage.PYTHON], {"a": 1}))
    second = await both.run(javascript(ECHO[CodeLanguage.JAVASCRIPT], {"a": 1}))

    assert first.result == second.result == {"a": 1}
    assert first.engine.startswith("jail:")
    assert both.disabled_reason == ""


async def test_a_runner_that_is_off_says_so() -> None:
    off: CodeRunner = NoCodeRunner()

    result = await off.run(python(ECHO[CodeLanguage.PYTHON]))

    assert result.status is CodeStatus.UNAVAILABLE
    assert off.disabled_reason


@pytest.mark.parametrize("kind", ["wasm", "jail"])
async def test_a_sandbox_that_cannot_be_made_runs_nothing(kind: str, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    sandbox = WasmSandbox(blocked) if kind == "wasm" else JailSandbox(["no_such_package"])
    runner = SandboxedCodeRunner(sandbox, workers=1, queue_wait_s=10.0)
    await runner.start()
    try:
        result = await runner.run(python(ECHO[CodeLanguage.PYTHON], timeout_ms=1000))
    finally:
        await runner.aclose()

    assert result.status is CodeStatus.UNAVAILABLE
    assert runner.disabled_reason


async def test_packages_can_be_offered_in_the_jail() -> None:
    runner = SandboxedCodeRunner(JailSandbox(["numpy"]), workers=1)
    await runner.start()
    try:
        result = await runner.run(
            python("import numpy\ndef main(args): return {'s': float(numpy.arange(5).sum())}")
        )
    finally:
        await runner.aclose()

    assert result.result == {"s": 10.0}, result


async def test_a_full_queue_refuses_at_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    slow = python("def main(args):\n while True: pass", timeout_ms=500)
    async with running("wasm", images_folder(tmp_path_factory), workers=1) as runner:
        await runner.run(python(ECHO[CodeLanguage.PYTHON]))
        async with asyncio.TaskGroup() as group:
            runs = [group.create_task(runner.run(slow)) for _ in range(7)]

    statuses = [run.result().status for run in runs]
    assert statuses.count(CodeStatus.UNAVAILABLE) == 2
    assert statuses.count(CodeStatus.TIMEOUT) == 5


async def test_runs_do_not_cost_a_process_each(wasm: SandboxedCodeRunner) -> None:
    workers = []
    for _ in range(20):
        await wasm.run(python(ECHO[CodeLanguage.PYTHON], {"a": 1}))
        await wasm.run(javascript(ECHO[CodeLanguage.JAVASCRIPT], {"a": 1}))
        workers.append({child.pid for child in psutil.Process().children()})

    assert workers[0]
    assert all(each == workers[0] for each in workers)


async def test_an_idle_worker_is_small(wasm: SandboxedCodeRunner) -> None:
    await wasm.run(python(ECHO[CodeLanguage.PYTHON]))

    own = [child.memory_full_info().uss for child in psutil.Process().children()]

    assert own
    assert all(size < 60 * 1024 * 1024 for size in own)


@given(st.binary(max_size=200) | OBJECTS.map(lambda value: json.dumps(value).encode()))
def test_whatever_comes_out_is_a_proper_reply_or_refused(data: bytes) -> None:
    try:
        result = decode_reply(data, engine="test")
    except BadReply:
        return
    assert result.status in CodeStatus


@pytest.mark.parametrize(
    "reply",
    [
        "[" * 100_000,
        '{"status": "ok", "stdout": "", "result": ' + '{"a":' * 70 + "1" + "}" * 71,
        '{"status": "ok", "stdout": "", "result": {"x": NaN}}',
        '{"status": "ok", "stdout": "", "result": [1]}',
        '{"status": "unavailable", "stdout": ""}',
        '{"status": "user_error", "stdout": "", "error": {"type": 1, "message": ""}}',
        '{"status": "user_error", "stdout": "' + "x" * 70_000 + '"}',
        '{"status": "ok", "stdout": "", "result": {"n": ' + "9" * 5000 + "}}",
        '{"status": ["ok"], "stdout": "", "result": {}}',
        '{"status": "ok", "stdout": "", "result": {"x": "' + "x" * 1_048_576 + '"}}',
    ],
)
def test_forged_replies_are_refused(reply: str) -> None:
    with pytest.raises(BadReply):
        decode_reply(reply.encode(), engine="test")


async def test_endless_code_of_one_workspace_leaves_a_sandbox_to_others(
    jail: SandboxedCodeRunner,
) -> None:
    endless = python("def main(args):\n    while True: pass", timeout_ms=60_000)
    async with asyncio.TaskGroup() as group:
        flood = [group.create_task(jail.run(endless)) for _ in range(16)]
        other = replace(python(ECHO[CodeLanguage.PYTHON], {"a": 1}), space_id=SPACE + 1)

        results = [await jail.run(other) for _ in range(3)]

        assert [result.result for result in results] == [{"a": 1}] * 3
        refused = [task.result() for task in flood if task.done()]
        assert all(result.status is CodeStatus.UNAVAILABLE for result in refused)
        for task in flood:
            task.cancel()


async def test_accepted_work_waits_for_a_sandbox_however_many_do(
    jail: SandboxedCodeRunner,
) -> None:
    request = replace(python(ECHO[CodeLanguage.PYTHON], {"a": 1}), max_wait_s=600.0)

    results = await asyncio.gather(*(jail.run(request) for _ in range(30)))

    assert {result.status for result in results} == {CodeStatus.OK}


TABLE: list[tuple[str, str, dict[str, object], object]] = [
    ("python", "def main(a, b): return a + b", {"b": 2, "a": 1}, 3),
    ("python", "def main(a, b=5): return [a, b]", {"a": 1}, [1, 5]),
    ("python", "def main(a=5, b=6): return [a, b]", {"b": 1}, [5, 1]),
    ("python", "def main(a): return a", {"a": "x", "b": "y"}, "x"),
    ("python", "def main(variables): return variables['a']", {"a": "x"}, "x"),
    ("python", "def main(): return variables['a'] + a", {"a": "x"}, "xx"),
    ("python", "def main(a, *, b): return b", {"a": 1, "b": 2}, 2),
    ("python", "def main(a, **rest): return rest", {"a": 1, "b": 2}, {"b": 2}),
    ("python", "def main(*all): return all", {"a": 1, "b": 2}, [1, 2]),
    ("python", "async def main(a): return {'n': a}", {"a": 1}, {"n": 1}),
    ("python", "def main(a): return None", {"a": 1}, None),
    ("python", "def main(a): return math.ceil(json.loads(a))", {"a": "1.5"}, 2),
    ("python", "def main(a): return count_token(a)", {"a": "12345"}, 2),
    ("python", "def main(a): return str_to_base64(a, 'p,')", {"a": "ü"}, "p,w7w="),
    ("python", "def main(a):\n delay(a)\n return SystemHelper.count_token('')", {"a": 9000}, 0),
    ("python", "def delay(a): return 'mine'\ndef main(a): return delay(a)", {"a": 1}, "mine"),
    ("javascript", "function main({a, b}) { return a + b }", {"b": 2, "a": 1}, 3),
    ("javascript", "async function main({a}) { return {n: a} }", {"a": 1}, {"n": 1}),
    ("javascript", "const main = ({a}) => [a]", {"a": 1}, [1]),
    ("javascript", "function main() { return variables.a }", {"a": "x"}, "x"),
    ("javascript", "function main() {}", {}, None),
    ("javascript", "function main({a}) { return countToken(a) }", {"a": "12345"}, 2),
    ("javascript", "function main({a}) { return strToBase64(a, 'p,') }", {"a": "ü"}, "p,w7w="),
    ("javascript", "const main = async ({a}) => { await delay(a); return a }", {"a": 9000}, 9000),
    ("javascript", "const delay = 1; function main() { return delay }", {}, 1),
    ("javascript", "function main() { return SystemHelper.countToken('') }", {}, 0),
]  # fmt: skip


def by_inputs(language: str, code: str, params: dict[str, object]) -> CodeRequest:
    made = python(code, params) if language == "python" else javascript(code, params)
    return replace(made, convention=CodeConvention.INPUTS)


@pytest.mark.parametrize(("language", "code", "params", "value"), TABLE)
async def test_inputs_are_handed_over_by_name_and_anything_comes_back(
    wasm: SandboxedCodeRunner, language: str, code: str, params: dict[str, object], value: object
) -> None:
    result = await wasm.run(by_inputs(language, code, params))

    assert result.status is CodeStatus.OK, result
    assert result.result == {"value": value}


async def test_python_takes_its_inputs_alike_everywhere(runner: SandboxedCodeRunner) -> None:
    code = "def main(a, b): return {'sum': a + b, 'size': count_token('abcd')}"

    result = await runner.run(by_inputs("python", code, {"a": 1, "b": 2}))

    assert result.result == {"value": {"sum": 3, "size": 1}}


@pytest.mark.parametrize("algorithm", ["sha1", "sha256", "sha512", "SHA-256"])
@pytest.mark.parametrize("secret", ["k", "schlüssel" * 20])
async def test_both_languages_sign_the_time_as_the_standard_says(
    wasm: SandboxedCodeRunner, algorithm: str, secret: str
) -> None:
    scripts = {
        "python": "def main(a, s): return create_hmac(a, s)",
        "javascript": "const main = ({a, s}) => createHmac(a, s)",
    }
    for language, code in scripts.items():
        name = algorithm.replace("-", "").lower() if language == "python" else algorithm
        result = await wasm.run(by_inputs(language, code, {"a": name, "s": secret}))
        assert result.result is not None, result
        signed = result.result["value"]
        assert isinstance(signed, dict)
        digest = hmac.digest(
            secret.encode(),
            f"{signed['timestamp']}\n{secret}".encode(),
            algorithm.replace("-", "").lower(),
        )
        assert unquote(signed["sign"]) == base64.b64encode(digest).decode()
        assert abs(int(signed["timestamp"]) - NOW_MS) < 60_000


@pytest.mark.parametrize(
    ("language", "code", "message", "line"),
    [
        ("python", "\ndef main(a, b): return a", "main wants 'b'", None),
        ("python", "\ndef main(a):\n    return nobody", "nobody", 3),
        ("python", "def main(a): return http_request('http://x')", "HTTP node", 1),
        ("python", "def main(a): delay(10001)", "10000", 1),
        ("javascript", "\nfunction main(all) {\n  throw new Error('no') }", "no", 3),
        ("javascript", "function main() { return httpRequest('http://x') }", "HTTP node", None),
        ("javascript", "function main() { return require('fs') }", "no fs", None),
        ("javascript", "function main() { return createHmac('md4', 'x') }", "sha256", None),
    ],
)
async def test_a_failure_of_such_code_is_told_with_its_line(
    wasm: SandboxedCodeRunner, language: str, code: str, message: str, line: int | None
) -> None:
    result = await wasm.run(by_inputs(language, code, {"a": {}}))

    assert result.status is CodeStatus.USER_ERROR, result
    assert result.error is not None
    assert message in result.error.message
    assert result.error.line == line


async def test_a_long_run_leaves_the_processor_to_others(jail: SandboxedCodeRunner) -> None:
    endless = python("def main(args):\n    while True: pass", timeout_ms=60_000)
    run = asyncio.ensure_future(jail.run(endless))

    async with asyncio.timeout(60):
        while not any(child.nice() == 10 for child in psutil.Process().children()):  # noqa: ASYNC110
            await asyncio.sleep(0.05)

    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    result = await jail.run(python(ECHO[CodeLanguage.PYTHON], {"a": 1}))
    assert result.result == {"a": 1}


def _stands_back(child: psutil.Process) -> bool:
    score = Path(f"/proc/{child.pid}/oom_score_adj").read_text("ascii")
    return child.nice() >= 5 and int(score) >= 500


async def test_workers_stand_behind_the_server(wasm: SandboxedCodeRunner) -> None:
    await wasm.run(python(ECHO[CodeLanguage.PYTHON], {"a": 1}))

    assert any(map(_stands_back, psutil.Process().children()))
