"""Servers that die at every crash point of a chat: each run ends once, and nothing told is lost."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.chaos.crash_points import CHATTING, RESUMING, SWEEPING
from tests.chaos.invariants import story_of
from tests.chaos.life import Life, living_server
from tests.support.client.chat import Talk, answer_of
from tests.support.process.server import TOKEN
from tests.upstream.fixture import RunningUpstream

WORDS = "one two three four five six"
SHORT = ("chat.accept.committed", "chat.answer.committed")
ANSWERED = frozenset(
    {
        "chat.write.committed",
        "chat.answer.committed",
        "chat.write.before_commit:2",
        "chat.write.committed:2",
        "chat.finish.before_commit",
        "chat.finish.committed",
    }
)
"""From here on the answer is stored, whatever becomes of the questions that follow it."""
MODELS = {
    "talker": "slow-20ms",
    "staller": "stall-after-3",
    "narrator": "tokens-2000-20",
    "caller": "tool-call",
}
SAYS = {
    "talker": WORDS,
    "staller": "t0 t1 t2 ",
    "narrator": "".join(f"t{number} " for number in range(2000)),
}
STREAMS = 50


@dataclass
class Scene:
    """A deployment with an agent that suggests questions, and one that calls the client."""

    data: Path
    environ: dict[str, str]
    agents: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def life(self, *, dying_at: str = "", key: str = "") -> Iterator[tuple[Life, Talk]]:
        """Let a server live; ``key`` goes with every request."""
        headers = {"Authorization": f"Bearer {TOKEN}"}
        if key:
            headers["Idempotency-Key"] = key
        with (
            living_server(self.data, self.environ, dying_at=dying_at) as life,
            httpx.Client(base_url=life.url, headers=headers, timeout=60) as http,
        ):
            yield life, Talk(http)

    def prepare(self) -> None:
        with self.life() as (_, talk):
            spaces = _said(talk.http.get("/admin/v1/workspaces"))["items"]
            for name, model in MODELS.items():
                connection = {"base_url": self.environ["OPENAI_BASE_URL"], "model": model}
                body = {"display": {"name": name}, "connection": connection}
                made = _said(talk.http.post("/admin/v1/models", json=body))
                agent: dict[str, Any] = {
                    "name": name,
                    "model": {"model_id": made["id"]},
                    "suggest_reply": {"mode": "enable"},
                }
                if name == "caller":
                    agent["client_tools"] = [{"name": "get_schedule", "description": "To do."}]
                path = f"/admin/v1/workspaces/{spaces[0]['id']}/agents"
                agent_id = _said(talk.http.post(path, json=agent))["id"]
                publication = {"connector_ids": ["1024"], "description": "test"}
                path = f"/admin/v1/agents/{agent_id}/publish"
                _said(talk.http.post(path, json=publication))
                self.agents[name] = agent_id


def _said(answer: httpx.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream) -> Scene:
    environ = {"OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": "slow-20ms"}
    scene = Scene(tmp_path_factory.mktemp("chats"), environ)
    scene.prepare()
    return scene


def speaker(point: str) -> str:
    """Which agent comes to a point, and cannot go on before."""
    return "staller" if point.startswith("chat.checkpoint") else "talker"


def dies(scene: Scene, point: str, key: str) -> list[tuple[str, Any]]:
    """Ask a server that dies meanwhile; return what it said before."""
    told: list[tuple[str, Any]] = []
    with scene.life(dying_at=point, key=key) as (life, talk):
        with (
            suppress(httpx.TransportError),
            talk.streaming(scene.agents[speaker(point)], WORDS) as events,
        ):
            for event in events:
                told.append(event)  # noqa: PERF402 - what came before it died counts
        life.dies_at(point)
    return told


def require_end(
    talk: Talk, chat: dict[str, Any], told: list[tuple[str, Any]], *, words: str
) -> str:
    """The run ended, with at most one answer, and with all that was told; return its status."""
    ended = talk.wait(chat)
    answers = talk.answers(chat)
    assert len(answers) <= 1, answers
    names = [name for name, _ in told]
    if ended["status"] == "completed":
        assert answers == [words]
    else:
        assert ended["status"] == "failed", ended
        assert ended["last_error"]["code"] > 0, ended
        assert ended["last_error"]["msg"], ended
        assert all(words.startswith(answer) for answer in answers), answers
        assert "conversation.chat.completed" not in names
        assert "conversation.message.completed" not in names
    assert words.startswith(answer_of(told))
    story_of(talk.http, chat["id"], ended["status"])
    history = talk.history(chat["conversation_id"])
    assert [kind for kind, _ in history].count("question") == 1, history
    return str(ended["status"])


def survives(scene: Scene, point: str, *more: str) -> None:
    """Die at a point of a chat, then at others while that is mended; look at what is left."""
    key = uuid4().hex
    told = dies(scene, point, key)
    for later in more:
        with living_server(scene.data, scene.environ, dying_at=later) as life:
            life.dies_at(later)
    with scene.life(key=key) as (_, talk):
        again = talk.start(scene.agents[speaker(point)], WORDS)
        chats = {data["id"] for name, data in told if name == "conversation.chat.created"}
        assert chats <= {again["id"]}, "The same request began another run."
        status = require_end(talk, again, told, words=SAYS[speaker(point)])
        if point == "chat.accept.before_commit" or point in ANSWERED:
            assert status == "completed"
        else:
            assert status == "failed"
        del talk.http.headers["Idempotency-Key"]
        follow = talk.ask(scene.agents["talker"], "Go on", conversation_id=again["conversation_id"])
        assert talk.answers(follow) == ["Go on"]


@pytest.mark.parametrize(
    "point",
    [pytest.param(each, marks=[] if each in SHORT else pytest.mark.long) for each in CHATTING],
)
def test_a_run_ends_once_and_the_conversation_goes_on(scene: Scene, point: str) -> None:
    survives(scene, point)


@pytest.mark.long
@pytest.mark.parametrize("point", SWEEPING)
def test_who_mends_may_die_too(scene: Scene, point: str) -> None:
    survives(scene, "chat.checkpoint.committed", point)


@pytest.mark.long
@pytest.mark.parametrize("point", RESUMING)
def test_an_answer_to_a_waiting_run_counts_once(scene: Scene, point: str) -> None:
    with scene.life() as (_, talk):
        chat = talk.ask(scene.agents["caller"], "What next?")
        assert chat["status"] == "requires_action"
    with scene.life(dying_at=point) as (life, talk):
        with suppress(httpx.TransportError):
            submit(talk, chat)
        life.dies_at(point)
    with scene.life() as (_, talk):
        if point == "chat.resume.before_commit":
            assert talk.get(chat)["status"] == "requires_action"
            _said(submit(talk, chat))
            assert talk.wait(chat)["status"] == "completed"
            assert talk.answers(chat)[-1] == "The tool said: Two interviews"
        else:
            ended = talk.wait(chat)
            assert (ended["status"], bool(ended["last_error"]["msg"])) == ("failed", True)
            assert submit(talk, chat).json()["code"] == 4105


@pytest.mark.long
def test_fifty_streams_end_when_their_server_is_killed(scene: Scene) -> None:
    """Wherever each of them is: those that came a little later have heard less."""
    told: list[list[tuple[str, Any]]] = [[] for _ in range(STREAMS)]
    are_heard = threading.Barrier(STREAMS + 1)

    def listen(url: str, heard: list[tuple[str, Any]]) -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with (
            httpx.Client(base_url=url, headers=headers, timeout=120) as http,
            suppress(httpx.TransportError),
            Talk(http).streaming(scene.agents["narrator"], WORDS) as events,
        ):
            for event in events:
                heard.append(event)
                if [name for name, _ in heard].count("conversation.message.delta") == 1:
                    are_heard.wait(60)

    with scene.life() as (life, _), ThreadPoolExecutor(STREAMS) as pool:
        listening = [pool.submit(listen, life.url, heard) for heard in told]
        are_heard.wait(60)
        life.signal(signal.SIGKILL)
        for each in listening:
            each.result()
    with scene.life() as (_, talk):
        for heard in told:
            chat = next(body for name, body in heard if name == "conversation.chat.created")
            assert require_end(talk, chat, heard, words=SAYS["narrator"]) == "failed"
            (answer,) = talk.answers(chat) or [""]
            assert SAYS["narrator"].startswith(answer)


def submit(talk: Talk, chat: dict[str, Any]) -> httpx.Response:
    (call,) = chat["required_action"]["submit_tool_outputs"]["tool_calls"]
    return talk.http.post(
        "/v3/chat/submit_tool_outputs",
        params={"conversation_id": chat["conversation_id"], "chat_id": chat["id"]},
        json={"tool_outputs": [{"tool_call_id": call["id"], "output": "Two interviews"}]},
    )


CLOCK: dict[str, Any] = {"type": "object", "properties": {"note": {"type": "string"}}}
LOOP: dict[str, dict[str, Any]] = {
    "completions": {
        "path": "/v1/chat/completions",
        "tools": [{"type": "function", "function": {"name": "get_time", "parameters": CLOCK}}],
    },
    "chained": {
        "path": "/v1/responses",
        "tools": [{"type": "function", "name": "get_time", "parameters": CLOCK}],
    },
    "responses": {
        "path": "/v1/responses",
        "store": False,
        "tools": [{"type": "function", "name": "get_time", "parameters": CLOCK}],
    },
}


def _looped(talk: Talk, surface: str, agent_id: str, asked: dict[str, Any] | None = None) -> Any:
    """Ask, or bring the output of the call that an answer asked for."""
    body = {"model": agent_id, **LOOP[surface]}
    path = str(body.pop("path"))
    said: list[Any] = [{"role": "user", "content": "What next?"}]
    if surface == "completions":
        if asked is not None:
            message = asked["choices"][0]["message"]
            (call,) = message["tool_calls"]
            said += [message, {"role": "tool", "tool_call_id": call["id"], "content": "Sleep"}]
        return _said(talk.http.post(path, json=body | {"messages": said}))
    if asked is not None:
        call = asked["output"][-1]
        output = {"type": "function_call_output", "call_id": call["call_id"], "output": "Sleep"}
        said += [*asked["output"], output]
        if surface == "chained":
            said, body = [output], body | {"previous_response_id": asked["id"]}
    return _said(talk.http.post(path, json=body | {"input": said}))


def _run_of(answer: dict[str, Any]) -> str:
    return str(answer["id"]).replace("chatcmpl-", "resp_").replace("-", "_").split("_")[1]


@pytest.mark.parametrize("surface", LOOP)
def test_a_call_of_a_client_waits_through_a_kill(scene: Scene, surface: str) -> None:
    with scene.life() as (life, talk):
        asked = _looped(talk, surface, scene.agents["caller"])
        life.end()

    with scene.life() as (_, talk):
        answer = _looped(talk, surface, scene.agents["caller"], asked)

    assert _run_of(answer) == _run_of(asked)
    assert answer["id"] != asked["id"]
    assert "The tool said: Sleep" in str(answer)


@pytest.mark.long
@pytest.mark.parametrize("point", RESUMING)
@pytest.mark.parametrize("surface", LOOP)
def test_an_output_that_killed_the_server_is_brought_again(
    scene: Scene, surface: str, point: str
) -> None:
    with scene.life() as (_, talk):
        asked = _looped(talk, surface, scene.agents["caller"])
    with scene.life(dying_at=point) as (life, talk):
        with suppress(httpx.HTTPError):
            _looped(talk, surface, scene.agents["caller"], asked)
        life.dies_at(point)

    with scene.life() as (_, talk):
        answer = _looped(talk, surface, scene.agents["caller"], asked)

    assert "The tool said: Sleep" in str(answer)
