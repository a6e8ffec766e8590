"""Compilation of the code in a canvas: each text once, and never for long."""

import asyncio
from dataclasses import dataclass, field

import pytest

from application.workflow.definition.code_check import CodeCompiler
from domain.shared.ids import SpaceId
from domain.workflow.graph import Program
from domain.workflow.lint.surroundings import CodeText, CompiledCode
from infra.contract.code_runner import CODE_BYTES, CodeError, CodeRequest, CodeResult, CodeStatus
from tests.support.workflow.canvas import Json, canvas, check, loop, node

SPACE = SpaceId(7)
FAULT = CodeError(type="SyntaxError", message="no", line=1)
OK = CodeResult(status=CodeStatus.OK, engine="e", result={})


@dataclass
class Sandbox:
    """Answers with results in turn, the last one again and again; without any, never."""

    results: list[CodeResult] = field(default_factory=list)
    requests: list[CodeRequest] = field(default_factory=list)
    disabled_reason: str = ""

    async def run(self, request: CodeRequest) -> CodeResult:
        self.requests.append(request)
        if not self.results:
            await asyncio.Event().wait()
        return self.results.pop(0) if len(self.results) > 1 else self.results[0]


def program(*nodes: Json) -> Program:
    read = check(canvas(*nodes)).program
    assert read is not None
    return read


def code(node_id: str, source: str, language: int = 5) -> Json:
    return node(node_id, "5", language=language, code=source)


async def test_every_text_of_a_canvas_is_compiled_once_and_none_runs() -> None:
    sandbox = Sandbox([OK])
    made = program(
        code("a", "one"), loop("l", code("b", "two"), code("c", "one")), code("d", "e", 3)
    )

    compiled = await CodeCompiler(sandbox).compile(SPACE, made)

    assert compiled == {
        CodeText("javascript", "one"): CompiledCode(),
        CodeText("javascript", "two"): CompiledCode(),
        CodeText("python", "e"): CompiledCode(),
    }
    assert len(sandbox.requests) == len(compiled)
    assert all(each.only_compiles for each in sandbox.requests)
    assert {each.space_id for each in sandbox.requests} == {SPACE}


@pytest.mark.parametrize(
    ("result", "fault"),
    [(OK, None), (CodeResult(status=CodeStatus.USER_ERROR, engine="e", error=FAULT), FAULT)],
)
async def test_what_the_sandbox_said_is_remembered(
    result: CodeResult, fault: CodeError | None
) -> None:
    sandbox = Sandbox([result])
    compiler = CodeCompiler(sandbox)

    told = [await compiler.compile(SPACE, program(code("a", "x"))) for _ in range(3)]

    assert told == [{CodeText("javascript", "x"): CompiledCode(fault=fault)}] * 3
    assert len(sandbox.requests) == 1
    await compiler.compile(SPACE, program(code("a", "x", 3)))
    assert len(sandbox.requests) == 2


@pytest.mark.parametrize(
    "status", [each for each in CodeStatus if each not in {CodeStatus.OK, CodeStatus.USER_ERROR}]
)
async def test_what_it_could_not_say_is_asked_again(status: CodeStatus) -> None:
    error = CodeError(type="Unavailable", message="It is off.")
    sandbox = Sandbox([CodeResult(status=status, engine="e", error=error), OK])
    compiler = CodeCompiler(sandbox)

    (first,) = (await compiler.compile(SPACE, program(code("a", "x")))).values()
    (second,) = (await compiler.compile(SPACE, program(code("a", "x")))).values()

    assert (first.fault, second) == (None, CompiledCode())
    assert first.unknown == ("It is off." if status == "unavailable" else first.unknown) != ""


async def test_a_sandbox_that_does_not_answer_is_not_waited_for() -> None:
    compiler = CodeCompiler(Sandbox(), max_wait_s=0.001)

    compiled = await compiler.compile(SPACE, program(code("a", "x"), code("b", "y")))

    assert len(compiled) == 2
    assert all(each.unknown and each.fault is None for each in compiled.values())


@pytest.mark.parametrize("source", [" \n", "x" * (CODE_BYTES + 1), "ä" * CODE_BYTES])
async def test_what_has_other_findings_is_not_compiled(source: str) -> None:
    sandbox = Sandbox([OK])

    assert await CodeCompiler(sandbox).compile(SPACE, program(code("a", source))) == {}
    assert not sandbox.requests
