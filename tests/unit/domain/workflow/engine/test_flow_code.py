"""Code nodes of flows: which inputs they take, and what becomes of what they return."""

from datetime import UTC, datetime
from typing import Any

import pytest

from domain.workflow.port import Ports
from domain.workflow.value import Value
from infra.contract.code_runner import (
    CodeConvention,
    CodeError,
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
        ("const x = require('lodash'); function main({a}) {}", "js", "no modules"),
        ("async function main({a}) { return httpRequest(a) }", "js", "network"),
        ("def main(a):\n    return http_request(a)", "py", "network"),
        ("def main(a):\n    return require(a)", "py", ""),
    ],
)
def test_what_code_cannot_have_here_is_a_finding(source: str, language: str, part: str) -> None:
    reading = read(code(value("a", 1), source=source, language=language))

    found = [each.message for each in reading.diagnostics if each.code == "WF442"]
    assert len(found) == bool(part)
    assert all(part in each for each in found)
