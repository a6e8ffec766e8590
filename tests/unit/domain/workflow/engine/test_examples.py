"""The example canvases give the results of the system they come from."""

import json
from typing import Any

import pytest

from domain.workflow.engine.checkpoint import decode_state, encode_state
from domain.workflow.engine.execution import RunOptions, RunResult
from domain.workflow.engine.interrupt import InterruptKind
from domain.workflow.plan import Plan
from infra.contract.egress import EgressResponse
from tests.support.workflow.canvas import FIXTURES, check
from tests.support.workflow.world import (
    FilePrograms,
    Script,
    ScriptedModels,
    StubServer,
    World,
    fixture,
)

_BASE = "http://stub.example"
_CASES = sorted(
    path.name.removesuffix(".case.json")
    for path in FIXTURES.glob("*.case.json")
    if "lint" not in json.loads(path.read_text("utf-8"))
)


def world_of(case: dict[str, Any]) -> World:
    scripts = [
        each if isinstance(each, str) else msgspec_script(each) for each in case.get("llm", [])
    ]
    answers: list[Any] = [
        EgressResponse(
            status=each["response"].get("status", 200),
            headers=each["response"].get("headers", {}),
            body=each["response"].get("body", "").encode(),
            url=_BASE,
        )
        for each in case.get("http", [])
    ]
    return World(
        models=ScriptedModels(scripts),
        server=StubServer(answers),
        programs=FilePrograms(case.get("workflows", {})),
    )


def msgspec_script(spec: dict[str, Any]) -> Script:
    return Script(
        reply=spec.get("reply", ""),
        error=spec.get("error", ""),
        delay_ms=spec.get("delay_ms", 0),
        when_prompt_contains=spec.get("when_prompt_contains", ""),
    )


def assert_expected(result: RunResult, case: dict[str, Any]) -> None:
    if "error_code" in case or "error_contains" in case:
        assert result.status == "failed"
        assert result.error is not None
        codes = case.get("error_code", result.error.code)
        assert result.error.code in (codes if isinstance(codes, list) else [codes])
        assert case.get("error_contains", "") in result.error.message
        return
    assert result.status == "success", result.error
    output, expected = dict(result.output or {}), dict(case["expect"])
    for name in case.get("compare", {}).get("json_string_fields", []):
        output[name], expected[name] = json.loads(str(output[name])), json.loads(expected[name])
    assert output == expected


async def run_steps(world: World, plan: Plan, case: dict[str, Any]) -> None:
    state = world.state(plan, case["input"])
    result = await world.run(plan, state=state)
    for step in case["steps"]:
        if "expect_interrupt" in step:
            wanted = step["expect_interrupt"]
            assert result.status == "interrupted"
            (first, *_) = result.pending
            assert first.node_id == wanted["node_id"]
            data = json.loads(first.data)
            if wanted["type"] == "question":
                assert first.kind is InterruptKind.QUESTION
                assert data["messages"][-1]["content"] == wanted["question"]
            else:
                assert first.kind is InterruptKind.FORM
                fields = [each["name"] for each in json.loads(data["content"])]
                assert fields == wanted["fields"]
        elif "resume" in step:
            state = decode_state(encode_state(state))
            world.engine.answer(state, result.pending[0].id, step["resume"])
            result = await world.run(plan, state=state)
        else:
            assert_expected(result, step)


@pytest.mark.parametrize("name", _CASES)
async def test_an_example_gives_its_expected_result(name: str) -> None:
    case: dict[str, Any] = json.loads(fixture(f"{name}.case.json"))
    text = fixture(f"{name}.json").replace("{{HTTP_BASE}}", _BASE)
    plan = check(text).compile()
    for variant in [case, *case.get("also", [])]:
        world = world_of({**case, **variant})
        if "steps" in variant:
            await run_steps(world, plan, variant)
            continue
        options = RunOptions(durability="off", can_interrupt=variant.get("mode") != "sync")
        result = await world.run(plan, variant["input"], options=options)
        assert_expected(result, variant)
        for message in variant.get("expect_messages", []):
            assert (message["node_id"], message["content"]) in world.recorder.messages()
        for request, wanted in zip(world.server.requests, variant.get("http", []), strict=False):
            expected = wanted["expect_request"]
            assert request.method == expected["method"]
            query = "&".join(f"{key}={value}" for key, value in expected["query"].items())
            assert request.url == f"{_BASE}{expected['path']}?{query}"
