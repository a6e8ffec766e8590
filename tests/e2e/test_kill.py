"""What is left after ``kill -9``: everything said so far, and conversations that go on."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.client.chat import PATIENCE_S, Event, Talk, answer_of, skip_to
from tests.support.client.seed import Seed
from tests.support.client.trace import shape_of
from tests.support.process.server import running_server
from tests.upstream.fixture import RunningUpstream

QUESTION = "Tell me everything"
SPEAKING_S = 2.0


@dataclass
class Aftermath:
    """The second life of a server, and the chats of its first."""

    talk: Talk
    agent_id: str
    seen: str
    """What the client of ``speaking`` had received."""
    speaking: dict[str, Any]
    silent: dict[str, Any]
    nested: dict[str, Any]
    """One whose agent waited for another one."""

    ended: dict[str, Any]


@pytest.fixture(scope="module")
def aftermath(
    tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream
) -> Iterator[Aftermath]:
    data = tmp_path_factory.mktemp("killed")
    environ = {"OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": "echo"}
    with (
        running_server(data, environ) as server,
        httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http,
    ):
        seed, talk = Seed(server, upstream), Talk(http)
        ended = talk.ask(server.agent_id, QUESTION)
        silent = talk.start(seed.agent("hang"), QUESTION)
        called = {"agent_id": seed.agent("stall-after-9"), "name": "helper"}
        model = {"model_id": seed.model("asks-helper")}
        nested = talk.start(seed.new_agent("Caller", model=model, agents=[called]), QUESTION)
        upstream.wait_request("stall-after-9")
        with talk.streaming(seed.agent("tokens-400-10"), QUESTION) as events:
            speaking = skip_to(events, "conversation.chat.created")
            seen = _read_for(events, seconds=SPEAKING_S)
            _until_told(data, nested)
            server.process.kill()
            with pytest.raises(httpx.HTTPError):
                list(events)
        seed.close()
        assert server.process.wait(60) != 0
    with (
        running_server(data, environ) as server,
        httpx.Client(base_url=server.url, headers=server.headers, timeout=60) as http,
    ):
        yield Aftermath(Talk(http), server.agent_id, seen, speaking, silent, nested, ended)


@pytest.mark.parametrize("which", ["speaking", "silent", "nested"])
def test_the_chats_failed_and_say_why(aftermath: Aftermath, which: str) -> None:
    failed = aftermath.talk.wait(getattr(aftermath, which))

    assert failed["status"] == "failed"
    assert failed["failed_at"] > 0
    assert failed["last_error"]["code"] > 0
    assert "interrupted" in failed["last_error"]["msg"].lower()


def test_at_most_the_last_second_of_an_answer_is_lost(aftermath: Aftermath) -> None:
    aftermath.talk.wait(aftermath.speaking)

    question, answer = aftermath.talk.history(aftermath.speaking["conversation_id"])

    assert question == ("question", QUESTION)
    assert answer[0] == "answer"
    assert answer[1].startswith("t0 t1 t2 ")
    assert len(answer[1]) > len(aftermath.seen) / 3  # of two seconds, on a busy machine


def test_a_question_without_an_answer_is_kept(aftermath: Aftermath) -> None:
    aftermath.talk.wait(aftermath.silent)

    assert aftermath.talk.history(aftermath.silent["conversation_id"]) == [("question", QUESTION)]


def test_what_had_ended_is_untouched(aftermath: Aftermath) -> None:
    assert aftermath.talk.get(aftermath.ended) == aftermath.ended
    assert aftermath.talk.answers(aftermath.ended) == [QUESTION]


def test_the_events_end_with_the_failure(aftermath: Aftermath) -> None:
    aftermath.talk.wait(aftermath.speaking)

    text = aftermath.talk.http.get(f"/v1/runs/{aftermath.speaking['id']}/events").text

    names = [line[7:] for line in text.splitlines() if line.startswith("event: ")]
    assert names[-1] == "run.failed"


def test_calls_that_were_under_way_are_in_the_ledger_with_their_most(aftermath: Aftermath) -> None:
    total = aftermath.talk.http.get("/admin/v1/usage").json()["total"]

    assert total["unsettled"]["calls"] == len(("speaking", "silent", "nested"))
    assert total["unsettled"]["tokens"] > 3 * 1000, "their questions, and the longest replies"


@pytest.mark.parametrize("which", ["speaking", "silent", "ended"])
def test_every_conversation_goes_on(aftermath: Aftermath, which: str) -> None:
    talk = aftermath.talk
    before = talk.wait(getattr(aftermath, which))

    again = talk.ask(aftermath.agent_id, "Go on", conversation_id=before["conversation_id"])

    assert talk.answers(again) == ["Go on"]


def _read_for(events: Iterator[Event], *, seconds: float) -> str:
    """Read a stream for a while, so that parts of the answer are stored; return the text."""
    until = time.monotonic() + seconds
    text = ""
    while time.monotonic() < until:
        text += answer_of([next(events)])
    return text


def _until_told(data: Path, chat: dict[str, Any]) -> None:
    """Wait until the events of a chat are stored as far as the model that its helper asks."""
    deadline = time.monotonic() + PATIENCE_S
    query = "SELECT payload FROM run_event WHERE run_id = ?"
    while True:
        with closing(sqlite3.connect(data / "coterie.db")) as connection:
            told = b"".join(bytes(row[0]) for row in connection.execute(query, [int(chat["id"])]))
        if b"stall-after-9" in told:
            return
        assert time.monotonic() < deadline, told
        time.sleep(0.05)


REBUILT = """
agent (lost)
  step step 1 (lost)
    model asks-helper
    tool helper (lost)
      agent stall-after-9 (lost)
        step step 1 (lost)
          model stall-after-9 (lost)
"""


def test_what_they_did_is_told_as_far_as_it_is_known(aftermath: Aftermath) -> None:
    told = aftermath.talk.http.get(f"/admin/v1/traces/{aftermath.nested['id']}").json()

    assert told["trace"]["is_rebuilt"]
    assert told["trace"]["status"] == "failed"
    first, *rest = shape_of(told["spans"])
    assert first == f"agent {told['trace']['agent_id']} (lost)"
    rest = [re.sub(r"(model \S+) \d+", r"\1", line) for line in rest]
    assert ["agent (lost)", *rest] == REBUILT.strip().split("\n")
