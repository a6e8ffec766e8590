"""Other wires for the stream of a chat, over a real socket."""

import json
from typing import Any

import httpx
import pytest

from api.renderer.tag_parser import TagParser
from tests.support.client.chat import Talk, text_message
from tests.support.client.seed import Seed


class Heard:
    """What a client of the tag protocol was told."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.content = ""
        self.truncated = True

    def on_think(self, text: str) -> None:
        pass

    def on_step_start(self, kind: str, index: int, call: str) -> None:
        self.steps.append(kind)

    def on_step_delta(self, text: str) -> None:
        pass

    def on_step_end(self) -> None:
        pass

    def on_content_delta(self, text: str) -> None:
        self.content += text

    def on_error(self, code: str, text: str) -> None:
        raise AssertionError(text)

    def on_complete(self, *, truncated: bool) -> None:
        self.truncated = truncated


def ask(client: httpx.Client, agent_id: str, text: str, **query: str) -> httpx.Response:
    body: dict[str, Any] = {
        "bot_id": agent_id,
        "user_id": "me",
        "stream": True,
        "additional_messages": [text_message(text)],
    }
    return client.post("/v3/chat", params=query, json=body)


@pytest.mark.parametrize("direct", ["0", "1"])
@pytest.mark.parametrize("form", ["tags", "tags-raw"])
def test_tags_read_back_as_the_answer(
    form: str, direct: str, client: httpx.Client, seed: Seed
) -> None:
    text = "a < b & </content> \u2028 'x' \"y\""
    response = ask(client, seed.agent(), text, format=form, direct=direct)

    heard = Heard()
    parser = TagParser(heard)
    if form == "tags-raw":
        parser.feed(response.text)
    else:
        for line in response.text.split("\n"):
            if line.startswith("data: "):
                parser.feed(json.loads(line[6:]))
    parser.finish()
    assert heard.content == text
    assert heard.truncated is False
    assert heard.steps == ([] if direct == "1" else ["thought"])


def test_a_stream_is_read_again_in_another_format(
    client: httpx.Client, seed: Seed, talk: Talk
) -> None:
    chat = talk.ask(seed.agent(), "hello there")
    listed = client.post(
        "/v1/conversation/message/list",
        params={"conversation_id": chat["conversation_id"]},
        json={},
    )
    question = next(each for each in listed.json()["data"] if each["type"] == "question")

    path = f"/v1/runs/{chat['id']}/events"
    playground = client.get(path, params={"format": "playground"}).text
    named = client.get(path, params={"format": "tag-events"}).text

    assert playground.startswith("event: message\n")
    first = json.loads(playground.split("\n\n", 1)[0].partition("data: ")[2])
    assert first["message"]["type"] == "ack"
    assert first["message"]["message_id"] == question["id"]
    assert playground.endswith("event: done\ndata: {}\n\n")
    assert 'event: answer\ndata: {"text":"hello there"}' in named
    assert named.endswith("event: done\ndata: {}\n\n")


def test_an_unknown_format_is_refused_before_anything_runs(
    client: httpx.Client, seed: Seed
) -> None:
    for query in ({"format": "xml"}, {"direct": "maybe"}, {"escape": "2"}):
        refused = ask(client, seed.agent(), "hello", **query)
        assert refused.json()["code"] == 4000
        assert next(iter(query)) in refused.json()["msg"]
