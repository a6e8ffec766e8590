"""Code nodes of flows: which inputs they take, and what becomes of what they return."""

from datetime import UTC, datetime
from typing import Any

import pytest

from domain.workflow.lint.surroundings import Surroundings
from domain.workflow.port import Ports
from domain.workflow.value import Value
from infra.contract.code_runner import (
    CodeConvention,
    CodeError,
    CodeModules,
    CodeResult,
    CodeStatus,
)
from tests.support.clock import FrozenClock
from tests.support.workflow.flow import START, flow_node, link, read, value
from tests.support.workflow.world import World, compiled
from tests.unit.domain.workflow.engine.test_ports import FakeCode

Json = dict[str, Any]
JS = "function main({a}) { return a }"


def returning(returned: object = None) -> FakeCode:
    """A sandbox in which all code returns this."""
    return FakeCode(CodeResult(status=CodeStatus.OK, engine="e", result={"value": returned}))


def failing(message: str) -> FakeCode:
    """A sandbox in which all code raises this."""
    error = CodeError(type="Error", message=message, line=1)
    return FakeCode(CodeResult(status=CodeStatus.USER_ERROR, engine="e", error=error))


def code(*inputs: Json, source: str = JS, language: str = "js", **more: Any) -> Json:
    outputs = [
        {"id": "id-n", "key": "n", "valueType": "string"},
        {"id": "system_rawResponse", "key": "system_rawResponse", "valueType": "any"},
        {"id": "error", "key": "error", "valueType": "object"},
    ]
    given = [value("codeType", language), value("code", source), *inputs]
    return {**flow_node("c", "code", **more), "inputs": given, "outputs": outputs}


async def run(code_runner: FakeCode, node: Json, text: str = "", caught: str = "") -> World:
    clock = FrozenClock(datetime(2030, 5, 1, tzinfo=UTC))
    world = World(ports=Ports(clock=clock, code=code_runner))
    after = flow_node("a", "answerNode", inputs=[value("text", text)])
    on_error = {**link("c", "a"), "sourceHandle": "c-source_catch-right"}
    edges = [link(START, "c"), on_error if caught else link("c", "a")]
    reading = read(node, after, edges=edges)
    await world.run(compiled(reading), {"userChatInput": "?"})
    return world


@pytest.mark.parametrize("language", ["js", "py"])
async def test_code_is_called_by_the_convention_of_its_dialect(language: str) -> None:
    runner = returning()
    source = JS if language == "js" else "def main(a):\n    return a"
    await run(runner, code(value("a", 1, "number"), source=source, language=language))

    (request,) = runner.requests
    assert request.convention is CodeConvention.INPUTS
    assert request.language.value == {"js": "javascript", "py": "python"}[language]
    assert request.params == {"a": 1}


async def test_only_added_inputs_are_handed_over() -> None:
    added = {**value("a", [START, "userChatInput"]), "canEdit": True}
    runner = returning()
    await run(runner, code(added, value("system_addInputParam", None), value("other", "x")))

    assert runner.requests[0].params == {"a": "?"}


@pytest.mark.parametrize(
    ("returned", "raw", "n"),
    [
        ({"n": 5, "more": 1}, {"n": 5, "more": 1}, "5"),
        ("a text", "a text", None),
        ([1, 2], [1, 2], None),
        (None, None, None),
    ],
)
async def test_whatever_is_returned_is_the_raw_response(
    returned: object, raw: Value, n: Value
) -> None:
    world = await run(returning(returned), code(value("a", 1, "number")))

    (ended,) = world.recorder.ended("c")
    output = ended.output or {}
    assert (output["system_rawResponse"], output["n"]) == (raw, n)


async def test_others_read_the_raw_response_and_its_members() -> None:
    text = "{{$c.id-n$}} {{$c.system_rawResponse$}}"
    world = await run(returning({"n": "x"}), code(value("a", 1)), text)

    assert world.recorder.messages() == [("a", 'x {"n":"x"}')]


@pytest.mark.parametrize("catches", [None, True])
async def test_who_looks_at_the_error_gets_it(catches: bool | None) -> None:
    more: Json = {} if catches is None else {"catchError": catches}
    caught = "yes" if catches else ""
    node = code(value("a", 1), **more)
    world = await run(failing("too bad"), node, "{{$c.error$}}", caught)

    ((_, said),) = world.recorder.messages()
    assert "too bad" in said


@pytest.mark.parametrize(
    ("source", "language", "part"),
    [
        ("const x = require('lodash'); function main({a}) {}", "js", "The module lodash"),
        ("// require('b')\nfunction main({a}) { return 'require(x)' }", "js", ""),
        ("import dayjs from 'dayjs'; function main({a}) {}", "js", "The module dayjs"),
        ("function main({a}) { return require(a) }", "js", "What the code loads"),
        ("function main({a}) { return new URL(a) }", "js", "URL is not"),
        ("const q = /[\"']/; const x = require('fs'); function main({a}) {}", "js", "module fs"),
        ("function main({a}) { return `${require('fs')}` }", "js", "The module fs"),
        ("function main({a}) { return a / 2; }; require('fs') / 3", "js", "The module fs"),
        ("function main({a}) { if (a) /'/.test(a); return require('fs') }", "js", "module fs"),
        ("function main({a}) { return /require('fs')/.test(a) }", "js", ""),
        ("function main({a}) { return a.require('fs') }", "js", ""),
        ("// httpRequest(a)\nfunction main({a}) { return 'httpRequest(a)' }", "js", ""),
        ("class URL {}; function main({a}) { return new URL(a) }", "js", ""),
        ("function main({a}) { return SystemHelper.fs.readFile(a) }", "js", "no files"),
        ("import numpy as np\ndef main(a):\n    return a", "py", "The module numpy"),
        ("try:\n    import numpy\nexcept ImportError:\n    numpy = 0\ndef main(a): 0", "py", ""),
        ("import json, requests\ndef main(a):\n    return a", "py", "The module requests"),
        ("async function main({a}) { return httpRequest(a) }", "js", "network"),
        ("def main(a):\n    return http_request(a)", "py", "network"),
        ("def main(a):\n    return require(a)", "py", ""),
        ("def main(a):\n    return system_helper.fs", "py", "no files"),
        ("def main(a):  # http_request(a)\n    return 'http_request(a)'", "py", ""),
    ],
)
def test_what_code_cannot_have_here_is_a_finding(source: str, language: str, part: str) -> None:
    modules = CodeModules(sandbox="wasm", here=frozenset({"json"}), elsewhere={})
    around = Surroundings(code_modules=modules)
    reading = read(code(value("a", 1), source=source, language=language), around=around)

    found = [each.message for each in reading.diagnostics if each.code == "WF442"]
    assert len(found) == bool(part)
    assert all(part in each for each in found)


def choosing(pattern: object) -> Json:
    condition = {"variable": [START, "userChatInput"], "condition": "reg", "value": pattern}
    branches = [{"condition": "AND", "list": [condition]}]
    return flow_node("c", "ifElseNode", inputs=[value("ifElseList", branches, "any")])


async def chosen(runner: FakeCode, pattern: object, text: str = "some text") -> World:
    clock = FrozenClock(datetime(2030, 5, 1, tzinfo=UTC))
    world = World(ports=Ports(clock=clock, code=runner))
    reading = read(choosing(pattern))
    assert reading.can_be_published, reading.diagnostics
    await world.run(reading.compile(), {"userChatInput": text})
    return world


def matching(result: Json) -> FakeCode:
    return FakeCode(CodeResult(status=CodeStatus.OK, engine="e", result=result))


@pytest.mark.parametrize(("matches", "chosen_name"), [(True, "IF"), (False, "ELSE")])
async def test_a_regular_expression_is_matched_in_the_sandbox(
    matches: bool, chosen_name: str
) -> None:
    runner = matching({"matches": matches})
    world = await chosen(runner, "/so+me/")

    (request,) = runner.requests
    assert request.language.value == "javascript"
    assert request.params == {"text": "some text", "pattern": "so+me"}
    (ended,) = world.recorder.ended("c")
    assert (ended.output or {})["chosen"] == chosen_name


async def test_an_empty_expression_matches_nothing() -> None:
    runner = matching({"matches": True})
    world = await chosen(runner, "/")

    (ended,) = world.recorder.ended("c")
    assert (ended.output or {})["chosen"] == "ELSE"
    assert not runner.requests


@pytest.mark.parametrize(
    ("runner", "part"),
    [
        (FakeCode(CodeResult(status=CodeStatus.TIMEOUT, engine="e")), "nested repetitions"),
        (FakeCode(CodeResult(status=CodeStatus.UNAVAILABLE, engine="e")), "cannot be matched"),
        (matching({"fault": "invalid group"}), "is not valid: invalid group"),
    ],
)
async def test_an_expression_that_cannot_be_matched_fails_by_name(
    runner: FakeCode, part: str
) -> None:
    world = await chosen(runner, "(a+)+$")

    (ended,) = world.recorder.ended("c")
    assert ended.error is not None
    assert part in ended.error.message


def test_a_broken_expression_is_a_finding() -> None:
    reading = read(choosing("/^((+|00)86)?1/"))

    (finding,) = [each for each in reading.diagnostics if each.node_id == "c"]
    assert (finding.code, "no regular expression" in finding.message) == ("WF402", True)
    assert not reading.can_run
