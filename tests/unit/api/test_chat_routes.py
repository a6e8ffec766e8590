"""How requests of Coze clients are read."""

from typing import Any

import cozepy
import httpx
import pytest

from domain.conversation.value import Scene
from domain.shared.chat import FilePart, ImagePart, TextPart
from domain.shared.limits import Limits
from tests.unit.api.harness import (
    AGENT_ID,
    CONVERSATION_ID,
    RUN_ID,
    ScriptedRuns,
    Surface,
    answering,
)

BODY: dict[str, Any] = {"bot_id": str(AGENT_ID), "user_id": "u"}


async def post(surface: Surface, **changes: Any) -> httpx.Response:
    async with surface.client() as client:
        return await client.post("/v3/chat", json={**BODY, **changes})


async def test_cozepy_streams_a_chat() -> None:
    surface = Surface()
    stream = surface.coze().chat.stream(
        bot_id=str(AGENT_ID),
        user_id="u",
        additional_messages=[cozepy.Message.build_user_question_text("hi")],
    )

    events = [event async for event in stream]

    (command,) = surface.runs.started
    assert command.stream
    assert command.messages[0].parts == (TextPart(text="hi"),)
    assert events[-1].event == cozepy.ChatEventType.CONVERSATION_CHAT_COMPLETED


async def test_cozepy_creates_and_retrieves_a_chat() -> None:
    chat = await Surface().coze().chat.create(bot_id=str(AGENT_ID), user_id="u")
    again = (
        await Surface()
        .coze()
        .chat.retrieve(conversation_id=str(CONVERSATION_ID), chat_id=str(RUN_ID))
    )

    assert chat.status == cozepy.ChatStatus.IN_PROGRESS
    assert again.status == cozepy.ChatStatus.COMPLETED


async def test_ids_come_as_text_or_number_and_null_means_absent() -> None:
    surface = Surface()

    response = await post(
        surface, bot_id=AGENT_ID, user_id=7, meta_data=None, additional_messages=None, stream=None
    )

    assert response.json()["code"] == 0
    (command,) = surface.runs.started
    assert (command.agent_id, command.end_user_id, command.stream) == (AGENT_ID, "7", False)
    assert command.scene is Scene.API


async def test_an_empty_conversation_id_in_the_query_is_absent() -> None:
    surface = Surface()
    async with surface.client() as client:
        await client.post("/v3/chat?conversation_id=", json=BODY)
        await client.post(f"/v3/chat?conversation_id={CONVERSATION_ID}&new=1", json=BODY)

    assert [c.conversation_id for c in surface.runs.started] == [None, CONVERSATION_ID]


@pytest.mark.parametrize(
    "content",
    [
        '[{"type":"text","text":"see","file_id":null},{"type":"image","file_id":"5"},'
        '{"type":"file","file_url":"https://x.example/a.pdf","file_id":null}]',
        [
            {"type": "text", "text": "see"},
            {"type": "image", "file_id": 5},
            {"type": "file", "file_url": "https://x.example/a.pdf"},
        ],
    ],
)
@pytest.mark.parametrize("role", ["user", "assistant"])
async def test_parts_come_as_json_text_or_as_a_list(content: Any, role: str) -> None:
    surface = Surface()
    message = {"role": role, "content": content, "content_type": "object_string", "type": ""}

    await post(surface, additional_messages=[message])

    (decoded,) = surface.runs.started[0].messages
    assert decoded.role == role
    assert not decoded.is_text
    assert decoded.parts == (
        TextPart(text="see"),
        ImagePart(file_id=5),
        FilePart(url="https://x.example/a.pdf"),
    )


async def test_texts_without_content_are_dropped() -> None:
    surface = Surface()
    messages = [{"role": "user", "content": ""}, {"role": "user", "content": "hi"}]

    await post(surface, additional_messages=messages)

    assert [m.parts for m in surface.runs.started[0].messages] == [(TextPart(text="hi"),)]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"bot_id": None}, "bot_id"),
        ({"bot_id": "0"}, "bot_id"),
        ({"bot_id": "-1"}, "bot_id"),
        ({"bot_id": "9223372036854775808"}, "bot_id"),
        ({"bot_id": "1E3"}, "bot_id"),
        ({"bot_id": " 1"}, "bot_id"),
        ({"bot_id": "١٢٣"}, "bot_id"),
        ({"bot_id": True}, "bot_id"),
        ({"bot_id": [1]}, "bot_id"),
        ({"user_id": None}, "user_id"),
        ({"user_id": "u" * 257}, "user_id"),
        ({"stream": "maybe"}, "stream"),
        ({"meta_data": {str(n): "x" for n in range(17)}}, "meta_data"),
        ({"meta_data": {"": "x"}}, "meta_data"),
        ({"meta_data": {"k" * 65: "x"}}, "meta_data"),
        ({"meta_data": {"k": "x" * 513}}, "meta_data.k"),
        ({"meta_data": {"k": ""}}, "meta_data.k"),
        ({"meta_data": {"k": 1}}, "meta_data"),
        ({"custom_variables": {"k": ""}}, "custom_variables.k"),
        ({"parameters": "[1]"}, "parameters"),
        ({"auto_save_history": False}, "auto_save_history"),
        ({"publish_status": "draft"}, "publish_status"),
        ({"tools": [{"type": "function"}]}, "tools"),
        ({"additional_messages": [{"role": "user", "content": "x"}] * 101}, "additional_messages"),
        ({"additional_messages": [{"role": "system"}]}, "additional_messages[0].role"),
        ({"additional_messages": [{"role": "user", "type": "answer"}]}, "[0].type"),
        ({"additional_messages": [{"role": "user", "content_type": "card"}]}, "content_type"),
        (
            {"additional_messages": [{"role": "user", "content_type": "object_string"}]},
            "additional_messages[0].content",
        ),
        (
            {"additional_messages": [{"role": "user", "content": [{"type": "video"}]}]},
            "additional_messages[0].content[0].type",
        ),
        (
            {"additional_messages": [{"role": "user", "content": [{"type": "image"}]}]},
            "additional_messages[0].content[0]",
        ),
    ],
)
async def test_what_is_wrong_is_refused_by_its_name(changes: dict[str, Any], field: str) -> None:
    surface = Surface()

    response = await post(surface, **changes)

    assert response.status_code == 400
    assert response.json()["code"] == 4000
    assert field in response.json()["msg"]
    assert not surface.runs.started


async def test_an_alias_that_nobody_has_is_not_found() -> None:
    surface = Surface()

    response = await post(surface, bot_id="1e3")

    assert (response.status_code, response.json()["code"]) == (404, 4200)
    assert not surface.runs.started


async def test_a_message_longer_than_the_limit_is_too_large() -> None:
    surface = Surface(limits=Limits(message_bytes=10))

    response = await post(surface, additional_messages=[{"role": "user", "content": "é" * 6}])

    assert (response.status_code, response.json()["code"]) == (413, 4000)


async def test_an_unsaved_chat_streams_and_ends_with_its_client() -> None:
    surface = Surface()

    await post(surface, auto_save_history=False, stream=True)

    (command,) = surface.runs.started
    assert not command.save_history
    assert command.cancel_on_disconnect


@pytest.mark.parametrize(
    ("connector", "expected"), [("999", 999), (999, 999), ("7", 1024), (None, 1024)]
)
async def test_only_the_web_sdk_may_be_chosen_as_connector(connector: Any, expected: int) -> None:
    surface = Surface()

    await post(surface, connector_id=connector)

    assert surface.runs.started[0].connector_id == expected


async def test_settings_to_try_out_travel_with_the_command() -> None:
    surface = Surface()
    persona = {"character_name": "Bo", "prompt": "Be brief."}

    await post(surface, custom_config={"model_config": {"model_id": 5}, "bot_config": persona})

    overrides = surface.runs.started[0].overrides
    assert (overrides.model, overrides.name, overrides.persona) == ("5", "Bo", "Be brief.")


async def test_a_chat_is_done_again_in_its_conversation() -> None:
    surface = Surface()

    async with surface.client() as client:
        done = await client.post(
            "/v3/chat", params={"conversation_id": "5"}, json={**BODY, "regenerate": "7"}
        )
        lost = await client.post("/v3/chat", json={**BODY, "regenerate": "7"})

    assert done.json()["code"] == 0
    (command,) = surface.runs.started
    assert (command.conversation_id, command.regenerate) == (5, 7)
    assert (lost.json()["code"], lost.json()["msg"].partition(":")[0]) == (4000, "conversation_id")


async def test_a_bound_token_acts_for_its_end_user_whatever_the_request_says() -> None:
    surface = Surface()
    surface.tokens.end_user_id = "fixed"

    await post(surface, user_id="somebody else")

    assert surface.runs.started[0].end_user_id == "fixed"


async def test_fields_that_clients_may_not_set_have_no_effect() -> None:
    surface = Surface()

    response = await post(surface, id="1", status="completed", space_id="9", __class__="x")

    assert response.json()["data"]["status"] == "in_progress"
    assert response.json()["data"]["id"] == str(RUN_ID)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_reading_calls_take_either_method(method: str) -> None:
    ids = {"conversation_id": str(CONVERSATION_ID), "chat_id": str(RUN_ID)}
    async with Surface().client() as client:
        response = await client.request(method, "/v3/chat/retrieve", params=ids)

    assert response.json()["data"]["id"] == str(RUN_ID)


async def test_a_chat_that_waits_for_nothing_takes_no_tool_outputs() -> None:
    ids = {"conversation_id": str(CONVERSATION_ID), "chat_id": str(RUN_ID)}
    async with Surface().client() as client:
        response = await client.post(
            "/v3/chat/submit_tool_outputs",
            params=ids,
            json={"tool_outputs": [{"tool_call_id": "c", "output": "o"}], "stream": True},
        )

    assert (response.status_code, response.json()["code"]) == (409, 4105)


async def test_a_dropped_stream_is_resumed_after_the_last_event_seen() -> None:
    async with Surface(ScriptedRuns(answering("a", "b"))).client() as client:
        response = await client.get(f"/v1/runs/{RUN_ID}/events", headers={"Last-Event-ID": "5"})

    assert response.text.startswith("id: 6\nevent: message.completed\n")
