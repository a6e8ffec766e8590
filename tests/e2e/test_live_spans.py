"""Spans of a run while it goes on, between its events, over real sockets."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.client.workflow import Flows
from tests.support.process.server import running_server
from tests.support.workflow.canvas import canvas, lit, loop, text
from tests.upstream.fixture import RunningUpstream, running_upstream

Frame = tuple[int, str, dict[str, Any]]


@pytest.fixture(scope="module")
def upstream() -> Iterator[RunningUpstream]:
    with running_upstream() as found:
        yield found


@pytest.fixture(scope="module")
def http(
    tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream
) -> Iterator[httpx.Client]:
    environ = {"OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": "hang"}
    with (
        running_server(tmp_path_factory.mktemp("live"), environ) as server,
        httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as client,
    ):
        yield client


def call(http: httpx.Client, method: str, path: str, document: Any = None) -> Any:
    answer = http.request(method, path, json=document)
    assert answer.is_success, answer.text
    return answer.json()


def agent_of(http: httpx.Client) -> str:
    space = call(http, "GET", "/v1/workspaces")["data"]["workspaces"][0]["id"]
    made = call(http, "POST", f"/admin/v1/workspaces/{space}/agents", {"name": "Slow"})
    publish = {"connector_ids": ["1024"], "description": "x"}
    call(http, "POST", f"/admin/v1/agents/{made['id']}/publish", publish)
    agent_id: str = made["id"]
    return agent_id


def frames(lines: Iterator[str]) -> Iterator[Frame]:
    """Read a stream frame by frame."""
    found: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            found[name] = value
        elif "event" in found:
            yield int(found["id"]), found["event"], json.loads(found["data"])
            found = {}


def assert_as_stored(told: list[Frame], stored: Any, *, run_id: str) -> None:
    """What is shown is in the trace under the same id, and what ended, ended so."""
    spans = {span["id"]: span for span in stored["spans"]}
    shown = [data for _, name, data in told if name.startswith("span.")]
    assert shown
    for data in shown:
        span = spans[data["id"]]
        same = ("parent_id", "run_id", "kind", "name")
        assert {name: data[name] for name in same} == {name: span[name] for name in same}
    for _, name, data in told:
        if name == "span.ended":
            assert data["status"] == spans[data["id"]]["status"]
            assert data["duration_us"] == spans[data["id"]]["duration_us"]
        if name.startswith("span."):
            assert not {"input", "output", "attributes"} & data.keys()
    assert {data["run_id"] for data in shown} == {run_id}


def test_a_chat_shows_its_steps_while_they_go_on(http: httpx.Client) -> None:
    agent_id = agent_of(http)
    question = {"role": "user", "content": "Hello", "content_type": "text"}
    body = {
        "bot_id": agent_id,
        "user_id": "u",
        "stream": False,
        "additional_messages": [question],
    }
    chat = call(http, "POST", "/v3/chat", body)["data"]
    told: list[Frame] = []
    with http.stream("GET", f"/v1/runs/{chat['id']}/events", params={"spans": "true"}) as stream:
        assert stream.status_code == 200
        for frame in frames(stream.iter_lines()):
            told.append(frame)
            if frame[1] == "span.started" and frame[2]["kind"] == "model":
                place = {"conversation_id": chat["conversation_id"], "chat_id": chat["id"]}
                call(http, "POST", "/v3/chat/cancel", place)

    stored = call(http, "GET", f"/admin/v1/traces/{chat['id']}")
    assert_as_stored(told, stored, run_id=chat["id"])
    assert told[-1][1] == "run.canceled"
    shown = {data["id"]: data["kind"] for _, name, data in told if name.startswith("span.")}
    assert shown == {span["id"]: span["kind"] for span in stored["spans"]}
    numbers = [number for number, _, _ in told]
    assert numbers == sorted(numbers)


def test_nobody_else_is_told(http: httpx.Client) -> None:
    """Without the parameter there are no spans; with another format they are refused."""
    agent_id = agent_of(http)
    question = {"role": "user", "content": "Hello", "content_type": "text"}
    body = {
        "bot_id": agent_id,
        "user_id": "u",
        "stream": False,
        "additional_messages": [question],
    }
    chat = call(http, "POST", "/v3/chat", body)["data"]
    path = f"/v1/runs/{chat['id']}/events"
    assert http.get(path, params={"spans": "true", "format": "coze"}).status_code == 400
    assert http.get(path, params={"spans": "perhaps"}).status_code == 400
    token = call(http, "POST", "/admin/v1/tokens", {"name": "t", "permissions": ["chat"]})["token"]
    held = {"authorization": f"Bearer {token}"}
    assert http.get(path, params={"spans": "true"}, headers=held).status_code == 403
    call(
        http,
        "POST",
        "/v3/chat/cancel",
        {"conversation_id": chat["conversation_id"], "chat_id": chat["id"]},
    )
    told = [name for _, name, _ in frames(iter(http.get(path).text.splitlines()))]
    assert told
    assert not [name for name in told if name.startswith("span.")]


def test_a_workflow_shows_its_nodes_while_they_go_on(http: httpx.Client) -> None:
    """Whoever comes in the middle is told what has been, too."""
    flows = Flows(http)
    drawn = canvas(loop("l", text("t"), loopCount=lit("2000", "integer")))
    workflow_id = flows.publish("looped", drawn)
    body = {"workflow_id": workflow_id, "parameters": {"q": "x"}, "is_async": True}
    run_id = flows.call("POST", "/v1/workflow/run", body)["execute_id"]
    path = f"/admin/v1/workflow-runs/{run_id}/events"
    with http.stream("GET", path, params={"spans": "true"}) as stream:
        told = list(frames(stream.iter_lines()))

    stored = call(http, "GET", f"/admin/v1/traces/{run_id}?content=false")
    spans = [frame for frame in told if frame[1].startswith("span.")]
    if spans:  # the run may be over before anybody is heard
        assert_as_stored(spans, stored, run_id=run_id)
    assert told[-1][1] == "run_ended"
