"""Several servers on one listener and one SQLite database: deaths, and the way down."""

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.e2e.test_roles import WORDS, Traffic
from tests.support.client.chat import ENDED, Talk, answer_of, skip_to
from tests.support.process.server import running_server
from tests.support.process.siblings import COUNT, Siblings, running_siblings
from tests.support.wait import until
from tests.upstream.fixture import RunningUpstream

PATIENCE_S = 60.0
CHATTING = 4


@contextmanager
def started(tmp_path: Path, upstream: RunningUpstream, model: str) -> Iterator[Siblings]:
    environ = {"OPENAI_BASE_URL": upstream.base_url, "OPENAI_MODEL": model}
    with running_siblings(tmp_path, environ) as siblings:
        yield siblings


def test_the_others_answer_for_one_that_died_and_it_is_started_again(
    tmp_path: Path, upstream: RunningUpstream
) -> None:
    with started(tmp_path, upstream, "slow-100ms") as siblings:
        dying, living = siblings.pids
        with siblings.client_of(dying) as here, siblings.client_of(living) as there:
            agent_id = siblings.parent.agent_id
            with Talk(here).streaming(agent_id, WORDS * 100) as events:
                chat = skip_to(events, "conversation.chat.created")
                skip_to(events, "conversation.message.delta")
                os.kill(dying, signal.SIGKILL)
                with pytest.raises(httpx.HTTPError):
                    list(events)
            whole = answer_of(Talk(there).stream(agent_id, WORDS))
            until(lambda: Talk(there).get(chat)["status"] in ENDED)
            lost = Talk(there).get(chat)
        until(lambda: len(siblings.pids) == COUNT and dying not in siblings.pids)
        until(lambda: sum('"serving"' in line for line in siblings.parent.log) == COUNT + 1)
        (new,) = (each for each in siblings.pids if each != living)
        with siblings.client_of(new) as http:
            again = answer_of(Talk(http).stream(agent_id, WORDS))
        said = [line for line in siblings.parent.log if "coterie.supervisor" in line]

    assert whole == again == WORDS
    assert lost["status"] == "failed"
    assert "interrupted" in str(lost["last_error"])
    assert [line for line in said if f'"server_pid":{dying}' in line and "signal 9" in line]


def test_all_let_their_chats_end_when_the_parent_is_told_to_stop(
    tmp_path: Path, upstream: RunningUpstream
) -> None:
    with (
        started(tmp_path, upstream, "slow-100ms") as siblings,
        siblings.clients() as clients,
        ThreadPoolExecutor(COUNT) as pool,
    ):
        begun = threading.Semaphore(0)

        def chat(http: httpx.Client) -> str:
            with Talk(http).streaming(siblings.parent.agent_id, WORDS) as events:
                skip_to(events, "conversation.chat.created")
                begun.release()
                return answer_of(list(events))

        chats = [pool.submit(chat, http) for http in clients]
        for _ in chats:
            assert begun.acquire(timeout=PATIENCE_S)
        siblings.parent.process.terminate()
        answers = [each.result(PATIENCE_S) for each in chats]
        status = siblings.parent.process.wait(PATIENCE_S)

    assert answers == [WORDS] * COUNT
    assert status == 0


def test_a_second_signal_ends_all_at_once(tmp_path: Path, upstream: RunningUpstream) -> None:
    with started(tmp_path, upstream, "hang") as siblings, siblings.clients() as clients:
        for http in clients:
            Talk(http).start(siblings.parent.agent_id, WORDS)
        pids = siblings.pids
        siblings.parent.process.terminate()
        until(lambda: sum("draining" in line for line in siblings.parent.log) == COUNT)
        siblings.parent.process.terminate()
        status = siblings.parent.process.wait(PATIENCE_S)

    assert status == 130
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_no_server_outlives_its_parent_and_the_next_one_waits_for_the_last(
    tmp_path: Path, upstream: RunningUpstream
) -> None:
    with started(tmp_path, upstream, "slow-100ms") as siblings, siblings.clients() as clients:
        pids = siblings.pids
        with Talk(clients[0]).streaming(siblings.parent.agent_id, WORDS) as events:
            skip_to(events, "conversation.chat.created")
            siblings.parent.process.kill()
            answer = answer_of(list(events))
        until(lambda: not [pid for pid in pids if _runs(pid)])
    with running_server(tmp_path) as server:
        assert httpx.get(f"{server.url}/readyz", timeout=PATIENCE_S).status_code == 200

    assert answer == WORDS


def test_what_is_wrong_is_said_once_and_nothing_goes_on(
    tmp_path: Path, upstream: RunningUpstream
) -> None:
    with (
        started(tmp_path, upstream, "echo"),
        pytest.raises(AssertionError, match="Another server"),
        running_siblings(tmp_path, {}),
    ):
        pass


@pytest.mark.parametrize("deaths", [1, pytest.param(4, marks=pytest.mark.long)])
def test_nothing_is_lost_in_a_storm_while_servers_die(
    tmp_path: Path, upstream: RunningUpstream, deaths: int
) -> None:
    work = ("chat", "read", "workflow", "document")
    with started(tmp_path, upstream, "slow-100ms") as siblings:
        traffic = Traffic(siblings.parent.url, siblings.parent, chats=CHATTING)
        with traffic.flowing():
            for _ in range(deaths):
                traffic.wait_for_more(*work)
                until(lambda: len(siblings.pids) == COUNT)
                os.kill(siblings.pids[0], signal.SIGKILL)
                traffic.wait_for_more(*work)
        ends = traffic.ends_of_cut()

    assert traffic.failures == []
    assert ends <= {"failed", "completed"}
    assert len(traffic.cut) <= deaths * 2 * (CHATTING + 3), "Who asks loses a connection or two."


def _runs(pid: int) -> bool:
    """Tell whether it does; who is not waited for by its parent is a zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
