"""Servers that die at every crash point of a channel: what was acknowledged is answered, once."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from tests.chaos.crash_points import CHANNELLING
from tests.chaos.life import living_server
from tests.support.channel.caller import FeishuCaller, Said
from tests.support.channel.place import Place, make_place, published, settings_for
from tests.support.channel.platform import Platform
from tests.support.process.server import TOKEN
from tests.upstream.fixture import RunningUpstream

HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def board() -> Iterator[Platform]:
    with Platform().listening() as listening:
        yield listening


@pytest.mark.parametrize("point", CHANNELLING)
def test_a_message_is_answered_once_wherever_the_server_died(
    point: str, tmp_path: Path, upstream: RunningUpstream, board: Platform
) -> None:
    environ = {
        "OPENAI_BASE_URL": upstream.base_url,
        "OPENAI_API_KEY": "sk-1",
        **settings_for(board),
    }
    caller, said = FeishuCaller(), Said(text="Still there?", id="1")
    behaviour = "tokens-9000-0" if point.endswith(":2") else "echo"
    with (
        living_server(tmp_path, environ) as life,
        httpx.Client(base_url=life.url, headers=HEADERS, timeout=60) as http,
    ):
        agent_id = published(http, base_url=upstream.base_url, behaviour=behaviour)
        channel = make_place(http, caller, board, agent_id=agent_id).channel
        life.stop()
    with (
        living_server(tmp_path, environ, dying_at=point) as life,
        httpx.Client(base_url=life.url, headers=HEADERS, timeout=60) as http,
    ):
        with suppress(httpx.HTTPError):  # it may die before it answers
            Place(http, caller, board, channel).deliver(said)
        life.dies_at(point)
    with (
        living_server(tmp_path, environ) as life,
        httpx.Client(base_url=life.url, headers=HEADERS, timeout=60) as http,
    ):
        place = Place(http, caller, board, channel)
        if behaviour == "echo":
            place.shows("Still there?")
        else:
            words = " ".join(f"t{number}" for number in range(9000)).split()
            place.waits(lambda texts: " ".join(texts).split() == words)
        place.say(said)  # the platform delivers again
        place.say(Said(text="/new", id="2"))
        place.waits(lambda texts: len(texts) > 1 and "new conversation" in texts[-1])
        assert len(board.shown) == (2 if behaviour == "echo" else len(board.shown))
