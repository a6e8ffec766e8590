"""Trials of one model and counts of tokens over HTTP, in process."""

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
