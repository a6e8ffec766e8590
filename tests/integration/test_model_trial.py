"""Trials and tests of one model and counts of tokens over HTTP, in process."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.support.process.in_process import ADMIN, Answer, Deployment, running
from tests.upstream.fixture import RunningUpstream, running_upstream

HELLO = {"role": "user", "content": "one two three"}


@dataclass
class Bench:
    """A deployment with one stored model behind a scripted provider."""

    deployment: Deployment
    upstream: RunningUpstream
    model: str
    space: str

    async def send(self, path: str, document: object, method: str = "POST") -> Answer:
        return await self.deployment.send(
            method, f"/admin/v1{path}", token=ADMIN, document=document
        )

    async def tried(self, model: str, **body: Any) -> Answer:
        return await self.send(f"/models/{model}/try", {"messages": [HELLO], **body})

    async def added(self, name: str, upstream: str) -> str:
        connection = {"base_url": self.upstream.base_url, "model": upstream}
        document = {"display": {"name": name}, "connection": connection}
        return str((await self.send("/models", document)).json["id"])


@pytest.fixture(scope="module")
async def bench(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Bench]:
    with running_upstream() as upstream:
        async with running(tmp_path_factory.mktemp("bench"), {}) as deployment:
            found = Bench(deployment, upstream, "", "")
            spaces = await found.send("/workspaces", None, "GET")
            found.space = spaces.json["items"][0]["id"]
            found.model = await found.added("tried", "echo")
            yield found


def events_of(answer: Answer) -> list[dict[str, Any]]:
    frames = [frame.split("\n") for frame in answer.text.split("\n\n") if frame[:6] == "event:"]
    return [json.loads(each[1].removeprefix("data: ")) for each in frames]


async def test_a_model_is_asked_without_an_agent(bench: Bench) -> None:
    system = {"role": "system", "content": "Be brief."}
    answer = await bench.tried(
        bench.model, messages=[system, HELLO], parameters={"temperature": 0.25, "max_tokens": 50}
    )
    events = events_of(answer)
    sent = bench.upstream.requests(model="echo")[-1].body

    assert answer.status == 200, answer
    assert [each["content"] for each in sent["messages"]] == ["Be brief.", "one two three"]
    assert (sent["temperature"], sent.get("tools")) == (0.25, None)
    assert events[0]["type"] == "reply.started"
    assert "".join(e["text"] for e in events if e["type"] == "reply.delta") == "one two three"
    assert events[-1]["type"] == "reply.completed"
    assert events[-1]["finish_reason"] == "stop"
    assert events[-1]["usage"]["output_tokens"] == 3
    assert events[-1]["first_token_ms"] <= events[-1]["duration_ms"]


async def test_a_trial_is_in_the_ledger_as_one(bench: Bench) -> None:
    model = await bench.added("ledger", "echo")
    await bench.tried(model, workspace_id=bench.space)
    answer = await bench.send(
        f"/usage/entries?workspace_id={bench.space}&model=ledger", None, "GET"
    )

    (entry,) = answer.json["items"]
    assert (entry["source"], entry["agent_id"]) == ("playground", None)


async def test_a_refusal_of_the_provider_is_an_answer_and_no_stream(bench: Bench) -> None:
    model = await bench.added("refused", "error-key")
    answer = await bench.tried(model)

    assert answer.status == 502, answer
    assert answer.json["msg"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [HELLO] * 21}, "messages"),
        ({"messages": [{"role": "assistant", "content": "x"}]}, "messages"),
        ({"messages": [{"role": "user", "content": " "}]}, "messages[0].content"),
    ],
)
async def test_what_no_model_is_asked(bench: Bench, body: dict[str, Any], field: str) -> None:
    answer = await bench.tried(bench.model, **body)

    assert answer.status == 400
    assert field in answer.json["msg"]


async def test_nobody_tries_models_at_the_cost_of_others(bench: Bench) -> None:
    answer = await bench.tried(bench.model, workspace_id="4242424242424242")

    assert answer.status == 404


async def test_tokens_are_counted_in_order(bench: Bench) -> None:
    path = f"/models/{bench.model}/count-tokens"
    answer = await bench.send(path, {"texts": ["", "four words of text", "你好世界"]})

    counted = answer.json
    assert counted["model"] == "tried"
    assert counted["tokens"][0] == 0
    assert counted["tokens"][1] > counted["tokens"][2] > 1
    assert counted["total"] == sum(counted["tokens"])
    assert (await bench.send(path, {"texts": []})).status == 400
    assert (await bench.send("/models/nobody/count-tokens", {"texts": ["a"]})).status == 404


SETTINGS = {"display": {"name": "candidate"}}


async def test_settings_are_tested_before_they_are_stored(bench: Bench) -> None:
    connection = {"base_url": bench.upstream.base_url, "model": "echo", "api_key": "sk-good-key-1"}
    changes = {**SETTINGS, "connection": connection}
    events = events_of(await bench.send("/models:check", {"changes": changes}))
    checks = {e["check"]["name"]: e["check"] for e in events if e["type"] == "check.completed"}
    report = events[-1]["report"]

    assert [e["type"] for e in events[:2]] == ["check.started", "check.completed"]
    assert {"chat", "stream", "usage"} <= checks.keys()
    assert json.loads(checks["chat"]["request"])["model"] == "echo"
    assert json.loads(checks["chat"]["answer"])["text"] == checks["chat"]["detail"]
    assert "sk-good-key-1" not in str(events)
    assert events[-1]["type"] == "test.completed"
    assert [each["name"] for each in report["checks"]] == list(checks)
    assert (await bench.send("/models/candidate", None, "GET")).status == 404


async def test_a_wrong_key_fails_with_what_the_provider_says_and_changes_nothing(
    bench: Bench,
) -> None:
    model = await bench.added("rotated", "echo")
    before = (await bench.send(f"/models/{model}", None, "GET")).json
    wrong = {"connection": {"api_key": "sk-wrong", "model": "error-key"}}
    events = events_of(await bench.send("/models:check", {"model_id": model, "changes": wrong}))

    assert not events[-1]["report"]["ok"]
    assert [e["check"]["name"] for e in events if e["type"] == "check.completed"] == ["chat"]
    assert events[1]["check"]["detail"]
    assert (await bench.send(f"/models/{model}", None, "GET")).json == before
    assert (await bench.tried(model)).status == 200


async def test_what_a_model_can_do_is_detected(bench: Bench) -> None:
    model = await bench.added("unknown-abilities", "echo")
    events = events_of(await bench.send("/models:check", {"model_id": model, "detects": True}))
    found = events[-1]["report"]["capabilities"]
    tried = [e["name"] for e in events if e["type"] == "check.started"]

    assert tried == ["chat", "json", "tools", "vision"]
    assert (found["tools"], found["vision"]) == ("prompt_prefix", False)


async def test_the_last_test_is_shown_until_the_model_changes(bench: Bench) -> None:
    model = await bench.added("watched", "error-key")
    await bench.send("/models:check", {"model_id": model})
    shown = (await bench.send(f"/models/{model}", None, "GET")).json["settings"]["last_test"]
    listed = (await bench.send("/models?q=watched", None, "GET")).json["items"][0]

    assert (shown["ok"], shown["failed"], shown["is_outdated"]) == (False, ["chat"], False)
    assert listed["settings"]["last_test"] == shown


async def test_settings_that_passed_are_stored_as_tested(bench: Bench) -> None:
    connection = {"base_url": bench.upstream.base_url, "model": "echo"}
    changes = {
        "display": {"name": "passed"},
        "connection": connection,
        "capabilities": {"tools": "none", "json_object": False},
    }
    events = events_of(await bench.send("/models:check", {"changes": changes}))
    stored = (await bench.send("/models", changes)).json

    assert events[-1]["report"]["ok"]
    assert stored["settings"]["last_test"]["ok"]
    assert stored["settings"]["has_own_capabilities"]


async def test_settings_that_break_a_rule_are_no_test(bench: Bench) -> None:
    answer = await bench.send("/models:check", {"changes": SETTINGS})

    assert answer.status == 400
    assert "base_url" in answer.json["msg"]


async def test_figures_count_calls_of_all_workspaces(bench: Bench) -> None:
    good, bad = await bench.added("counted", "echo"), await bench.added("broken", "error-key")
    for model in (good, good, bad):
        await bench.tried(model)
    answer = (await bench.send("/models:figures", None, "GET")).json
    found = {each["model"]: each for each in answer["items"]}

    assert (found["counted"]["calls"], found["counted"]["failed"]) == (2, 0)
    assert found["counted"]["first_token_p50_ms"] >= 0
    assert (found["broken"]["calls"], found["broken"]["failed"]) == (1, 1)
    assert found["broken"]["first_token_p50_ms"] is None
