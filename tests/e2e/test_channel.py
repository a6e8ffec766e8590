"""Channels end to end: a platform delivers, an agent answers there."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from domain.channel.value import WORDS
from tests.support.channel.caller import (
    CALLERS,
    Caller,
    FeishuCaller,
    Said,
    SlackCaller,
    WeComCaller,
)
from tests.support.channel.place import (
    Place,
    data,
    make_place,
    published,
    settings_for,
    space_of,
)
from tests.support.channel.platform import Platform, as_json
from tests.support.process.server import RunningServer, running_server
from tests.support.wait import until
from tests.upstream.fixture import RunningUpstream

Make = Callable[..., Place]


@pytest.fixture(scope="module")
def board() -> Iterator[Platform]:
    with Platform().listening() as listening:
        yield listening


@pytest.fixture(scope="module")
def host(
    tmp_path_factory: pytest.TempPathFactory, upstream: RunningUpstream, board: Platform
) -> Iterator[RunningServer]:
    environ = {"OPENAI_BASE_URL": upstream.base_url, "OPENAI_API_KEY": "sk-1"}
    folder = tmp_path_factory.mktemp("channel")
    with running_server(folder, {**environ, **settings_for(board)}) as server:
        yield server


@pytest.fixture
def make(host: RunningServer, upstream: RunningUpstream, board: Platform) -> Iterator[Make]:
    board.clear()
    with httpx.Client(base_url=host.url, headers=host.headers, timeout=60) as http:

        def made(caller: Caller, behaviour: str = "echo", **settings: Any) -> Place:
            agent_id = published(http, base_url=upstream.base_url, behaviour=behaviour)
            return make_place(http, caller, board, agent_id=agent_id, **settings)

        yield made


@pytest.mark.parametrize("caller", CALLERS, ids=lambda each: each.platform)
def test_a_message_delivered_thrice_is_answered_once(caller: Caller, make: Make) -> None:
    place = make(caller)
    for _ in range(3):
        place.say(Said(text="Good morning", id="1"))
    place.shows("Good morning")
    place.say(Said(text="And now?", id="2"))
    place.shows("Good morning", "And now?")

    where = {"workspace_id": space_of(place.http)}
    entries = data(place.http.get("/admin/v1/usage/entries", params=where))["items"]
    assert {"channel"} <= {each["source"] for each in entries}


@pytest.mark.parametrize("caller", CALLERS, ids=lambda each: each.platform)
def test_what_is_not_signed_is_refused_and_handshakes_are_answered(
    caller: Caller, make: Make
) -> None:
    place = make(caller)
    found = place.send(caller.handshake("c-9", at=time.time()))
    assert (found.status_code, caller.shaken(found.content)) == (200, "c-9")
    old = place.send(caller.message(Said(), at=time.time() - 400))
    assert (old.status_code, old.json()["code"]) == (401, 4100)
    place.channel = {**place.channel, "code": "x" * 22}
    assert place.deliver(Said()).status_code == 404
    assert not place.platform.shown


def test_answers_of_a_thread_come_in_order_and_threads_side_by_side(make: Make) -> None:
    place = make(SlackCaller(), "slow-700ms")
    for number in range(3):
        place.say(Said(text=f"q{number}", id=f"{number}", chat="c1"))
        place.say(Said(text=f"p{number}", id=f"{number}", chat="c2"))
    until(lambda: len(place.platform.shown) == 6)

    for chat in ("c1", "c2"):
        shown = [each for each in place.platform.shown if each.place["to"] == chat]
        assert len(shown) == 3


def test_a_slow_answer_is_announced(make: Make) -> None:
    place = make(WeComCaller(), "tokens-30-100", slow_after_s=1, slow_text="One moment.")
    place.say(Said(text="x"))
    until(lambda: len(place.platform.shown) == 2)

    assert place.platform.texts[0] == "One moment."


def test_an_answer_is_shown_while_it_is_written(make: Make) -> None:
    place = make(FeishuCaller(), "tokens-30-200", edits=True)
    place.say(Said(text="x"))
    said = "".join(f"t{number} " for number in range(30)).strip()
    until(lambda: place.platform.texts == [said])

    assert len(place.platform.shown[0].texts) > 2
    assert all(said.startswith(text.removesuffix(" …")) for text in place.platform.shown[0].texts)


def test_stop_ends_the_answer_and_new_begins_a_conversation(
    make: Make, upstream: RunningUpstream
) -> None:
    place = make(SlackCaller(), "stall-after-3", edits=True)
    place.say(Said(text="go", id="1"))
    place.shows("t0 t1 t2 …")
    place.say(Said(text="and then?", id="1.5"))
    place.say(Said(text="/stop", id="2"))
    place.waits(lambda texts: sorted(texts) == [WORDS["stopped"]["en"], "t0 t1 t2"])

    echo = make(SlackCaller())
    echo.say(Said(text="one", id="1"))
    until(lambda: "one" in echo.platform.texts)
    echo.say(Said(text="/new", id="2"))
    until(lambda: WORDS["fresh"]["en"] in echo.platform.texts)
    echo.say(Said(text="two", id="3"))
    until(lambda: "two" in echo.platform.texts)
    sent = [each.body["messages"] for each in upstream.requests(model="echo")][-1]
    assert "one" not in str(sent)


def test_groups_are_answered_when_the_app_is_addressed(make: Make) -> None:
    place = make(FeishuCaller())
    place.say(Said(text="among ourselves", id="1", is_group=True))
    place.say(Said(text="and you?", id="2", is_group=True, mentions_bot=True, thread="t1"))
    place.shows("and you?")
    assert place.platform.shown[0].place["in_thread"]

    place.change(settings={"only_when_mentioned": False})
    place.say(Said(text="anybody?", id="3", is_group=True))
    place.shows("and you?", "anybody?")


def test_a_platform_that_asks_to_wait_gets_the_answer_later(make: Make) -> None:
    place = make(SlackCaller())
    place.platform.trouble.append(
        as_json({"ok": False, "error": "ratelimited"}, status=429, retry_after="1")
    )
    place.platform.trouble.append(as_json({}, status=503))
    place.say(Said(text="patience"))
    place.shows("patience")


def test_a_file_of_a_message_reaches_the_model(make: Make, upstream: RunningUpstream) -> None:
    place = make(FeishuCaller())
    place.platform.files["f1"] = b"The secret word is xylophone."
    place.say(Said(text="", id="1", file="f1"))
    until(lambda: len(place.platform.shown) == 1)

    assert "notes.txt" in str(upstream.requests(model="echo")[-1].body)
    place.say(Said(text="", id="2", file="gone"))
    place.waits(lambda texts: WORDS["files"]["en"] in texts)


def test_what_is_unpublished_disabled_or_deleted_does_not_answer(make: Make) -> None:
    place = make(SlackCaller())
    agent = place.channel["target_id"]
    place.http.delete(f"/admin/v1/agents/{agent}/connectors/1024").raise_for_status()
    place.say(Said(text="hello", id="1"))
    place.shows(WORDS["closed"]["en"])
    place.change(settings={"is_enabled": False})
    place.say(Said(text="hello", id="2"))
    place.http.delete(f"/admin/v1/channels/{place.channel['id']}").raise_for_status()
    assert place.deliver(Said(text="hello", id="3")).status_code == 404
    place.shows(WORDS["closed"]["en"])


def test_secrets_are_never_told_and_the_test_says_who_the_app_is(make: Make) -> None:
    place = make(SlackCaller())
    path = f"/admin/v1/channels/{place.channel['id']}"
    assert "xoxb-good" not in place.http.get(path).text
    found = data(place.http.post(f"{path}/test"))
    assert (found["is_ok"], found["bot_id"]) == (True, "UBOT")
    place.change(credentials={"bot_token": "xoxb-other"})
    wrong = data(place.http.post(f"{path}/test"))
    assert not wrong["is_ok"]
    assert "invalid_auth" in wrong["problem"]
    refused = place.http.patch(path, json={"credentials": {"bot_token": "nonsense"}})
    assert refused.status_code == 400
    assert "credentials.bot_token" in refused.text
