"""Pictures in messages: shown to models that see, described for models that do not."""

import base64
import io
from collections.abc import Iterator
from typing import Any

import pytest
from cozepy import Coze, Message, MessageObjectString
from openai import OpenAI

from tests.support.client.chat import Talk, object_message
from tests.support.client.seed import Seed
from tests.support.document.picture import picture
from tests.upstream.fixture import RunningUpstream

SEES = {"capabilities": {"vision": True}}
DESCRIBER = "describer"


@pytest.fixture
def file_id(coze: Coze) -> str:
    return coze.files.upload(file=("picture.png", picture())).id


@pytest.fixture
def describer(seed: Seed, upstream: RunningUpstream) -> Iterator[None]:
    """A vision model for agents whose model has no eyes."""
    model_id = seed.model(DESCRIBER, is_vision_default=True, **SEES)
    message = {"index": 0, "delta": {"content": "A red rectangle."}, "finish_reason": "stop"}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    upstream.script(
        DESCRIBER, [{"event": {**chunk, "choices": [message]}}, {"send": "data: [DONE]\n\n"}]
    )
    yield
    seed.call("DELETE", f"/models/{model_id}")


def _sent(upstream: RunningUpstream, behaviour: str) -> Any:
    return upstream.requests(model=behaviour)[-1].body["messages"][-1]["content"]


def _ask(talk: Talk, agent_id: str, *parts: dict[str, str]) -> dict[str, Any]:
    return talk.ask(agent_id, additional_messages=[object_message(*parts)])


def test_a_model_that_sees_gets_the_picture(
    coze: Coze, seed: Seed, upstream: RunningUpstream, file_id: str
) -> None:
    parts = [
        MessageObjectString.build_text("What is this?"),
        MessageObjectString.build_image(file_id=file_id),
    ]
    coze.chat.create_and_poll(
        bot_id=seed.agent("seeing", **SEES),
        user_id="me",
        additional_messages=[Message.build_user_question_objects(parts)],
    )

    text, image = _sent(upstream, "seeing")
    assert text == {"type": "text", "text": "What is this?"}
    assert image["type"] == "image_url"
    head, _, encoded = image["image_url"]["url"].partition(",")
    assert head == "data:image/png;base64"
    assert base64.b64decode(encoded) == picture()


def test_a_picture_in_a_completion_reaches_the_model(
    openai: OpenAI, seed: Seed, upstream: RunningUpstream
) -> None:
    url = "data:image/png;base64," + base64.b64encode(picture(red=90)).decode()
    openai.chat.completions.create(
        model=seed.agent("seeing-openai", **SEES),
        messages=[
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "Look"},
                    {"type": "image_url", "image_url": {"url": url}},
                ],
            }
        ],
    )

    _, image = _sent(upstream, "seeing-openai")
    assert base64.b64decode(image["image_url"]["url"].partition(",")[2]) == picture(red=90)


def test_a_model_without_eyes_gets_a_description(
    talk: Talk, seed: Seed, upstream: RunningUpstream, file_id: str, describer: None
) -> None:
    before = len(upstream.requests(model=DESCRIBER))
    agent_id = seed.agent("blind", capabilities={"vision": False})
    parts = ({"type": "text", "text": "What is this?"}, {"type": "image", "file_id": file_id})

    chat = _ask(talk, agent_id, *parts)
    sent = _sent(upstream, "blind")
    _ask(talk, agent_id, *parts)

    text = sent if isinstance(sent, str) else " ".join(part["text"] for part in sent)
    assert "What is this?" in text
    assert "A red rectangle." in text
    assert "image_url" not in str(sent)
    asked = upstream.requests(model=DESCRIBER)[before:]
    assert len(asked) == 1  # the second time the description is known
    assert "data:image/png;base64," in str(asked[0].body["messages"])
    question = talk.history(chat["conversation_id"])[0][1]
    assert "rectangle" not in question


def test_without_a_vision_model_the_model_is_told_of_the_picture(
    talk: Talk, seed: Seed, upstream: RunningUpstream, file_id: str
) -> None:
    agent_id = seed.agent("blind-alone", capabilities={"vision": False})

    chat = _ask(
        talk, agent_id, {"type": "text", "text": "And?"}, {"type": "image", "file_id": file_id}
    )

    sent = str(_sent(upstream, "blind-alone"))
    assert chat["status"] == "completed"
    assert "you cannot see it" in sent
    assert "base64" not in sent


def test_the_history_shows_where_to_download_the_picture(
    talk: Talk, seed: Seed, file_id: str
) -> None:
    chat = _ask(talk, seed.agent("seeing", **SEES), {"type": "image", "file_id": file_id})

    question = talk.history(chat["conversation_id"])[0][1]
    assert file_id in question
    assert '"file_url":"http' in question.replace(" ", "")


def test_a_file_of_somebody_else_is_not_found(talk: Talk, seed: Seed) -> None:
    _, token = seed.user("stranger")
    uploaded = talk.http.post(
        "/v1/files/upload",
        files={"file": ("x.png", io.BytesIO(picture(red=10)), "image/png")},
        headers={"authorization": f"Bearer {token}"},
    ).json()["data"]["id"]

    refused = talk.post(
        seed.agent(),
        additional_messages=[object_message({"type": "image", "file_id": uploaded})],
    )

    assert refused.json()["code"] == 4200
