"""Every example of the contract, read by the official clients and compared with what we write."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cozepy
import httpx
import msgspec
import pytest

from api.coze.conversation.shape import WireChat, WireConversation, WireMessage, WireSection
from api.envelope import CursorEnvelope, Envelope, ModifiedEnvelope
from api.error import CozeError, Failure, OpenAIError
from api.openai.shape import Completion, ModelList
from api.renderer import RENDERERS, RenderContext
from application.conversation.dto import RunResult
from application.conversation.run.event import (
    MessageCompleted,
    MessageDelta,
    MessageStarted,
    RunCreated,
    RunEvent,
    RunStarted,
)
from domain.conversation.value import MessageKind, RunStatus
from domain.shared.chat import ToolCall
from tests.unit.api.harness import (
    AGENT_ID,
    ANSWER_ID,
    CONVERSATION_ID,
    RUN_ID,
    AgentNotFound,
    at,
    completed,
    failed,
    message_view,
    records,
    run_view,
)
from tests.unit.api.sse_parser import parse

FIXTURES = Path(__file__).parents[2] / "fixtures" / "http_api"
CHAT, CONVERSATION, MESSAGE = str(RUN_ID), str(CONVERSATION_ID), str(ANSWER_ID)


def text_of(name: str) -> bytes:
    return (FIXTURES / name).read_bytes()


def json_of(name: str) -> Any:
    return msgspec.json.decode(text_of(f"{name}.json"))


def coze(body: bytes, content_type: str = "application/json") -> cozepy.Coze:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=body, headers={"content-type": content_type})

    return cozepy.Coze(
        auth=cozepy.TokenAuth("pat_x"),
        base_url="http://coterie",
        http_client=cozepy.SyncHTTPClient(  # type: ignore[no-untyped-call]
            transport=httpx.MockTransport(answer)
        ),
    )


def coze_stream(body: bytes) -> Iterator[Any]:
    client = coze(body, "text/event-stream; charset=utf-8")
    return client.chat.stream(bot_id=str(AGENT_ID), user_id="u")


FIN = (
    '{"msg_type":"generate_answer_finish","data":"{\\"finish_reason\\":0,\\"FinData\\":\\"\\"}",'
    '"from_module":null,"from_unit":null}'
)
CALL = ToolCall(id="call_01", name="weather_now", arguments='{"city":"Oslo"}')


def scripted_chat() -> list[RunEvent]:
    """The events behind ``chat.stream.sse``."""
    return [
        RunCreated(run_view(RunStatus.CREATED, inserted_message_ids=(RUN_ID - 3,))),
        RunStarted(run_view()),
        MessageCompleted(
            message_view(
                "",
                MessageKind.TOOL_CALLS,
                id=RUN_ID + 2,
                tool_calls=(CALL,),
                created_at=at(1),
                updated_at=at(1),
            )
        ),
        MessageCompleted(
            message_view(
                '{"temp_c":-3}',
                MessageKind.TOOL_RESULT,
                id=RUN_ID + 3,
                role="tool",
                created_at=at(1),
                updated_at=at(2),
            )
        ),
        MessageStarted(message_id=ANSWER_ID),
        MessageDelta(message_id=ANSWER_ID, reasoning="Use the tool result."),
        MessageDelta(message_id=ANSWER_ID, text="It is "),
        MessageDelta(message_id=ANSWER_ID, text="-3 °C."),
        MessageCompleted(message_view("It is -3 °C.", reasoning="Use the tool result.")),
        MessageCompleted(
            message_view(
                FIN, MessageKind.VERBOSE, id=ANSWER_ID + 1, created_at=at(4), updated_at=at(4)
            )
        ),
        MessageCompleted(
            message_view(
                "Will it snow tomorrow?",
                MessageKind.FOLLOW_UP,
                id=ANSWER_ID + 2,
                created_at=at(5),
                updated_at=at(5),
            )
        ),
        completed(),
    ]


def rendered(name: str, events: list[RunEvent], **context: Any) -> bytes:
    renderer = RENDERERS.get(name)(RenderContext(run=run_view(), **context))
    return b"".join(renderer.render([record]) for record in records(*events))


def test_the_coze_renderer_writes_the_example_stream() -> None:
    ours = parse(rendered("coze", scripted_chat()))
    example = parse(text_of("chat.stream.sse"))

    assert [event.name for event in ours] == [event.name for event in example]
    assert [event.json for event in ours] == [event.json for event in example]


def test_the_coze_renderer_writes_a_failure_like_the_example() -> None:
    ours = parse(rendered("coze", [RunCreated(run_view()), RunStarted(run_view()), failed()]))
    example = parse(text_of("chat.stream.failed.sse"))

    assert [event.name for event in ours] == [event.name for event in example]
    for our, theirs in zip(ours, example, strict=True):
        if isinstance(theirs.json, dict) and isinstance(our.json, dict):
            assert theirs.json.items() <= our.json.items()


@pytest.mark.parametrize(
    "name",
    [
        "chat.stream.sse",
        "chat.stream.failed.sse",
        "chat.requires_action.sse",
        "chat.submit_tool_outputs.sse",
    ],
)
def test_cozepy_reads_each_example_stream(name: str) -> None:
    events = list(coze_stream(text_of(name)))

    assert [event.event.value for event in events] == [
        event.name for event in parse(text_of(name)) if event.name != "done"
    ]


def test_cozepy_reads_what_the_coze_renderer_writes() -> None:
    events = list(coze_stream(rendered("coze", scripted_chat())))

    deltas = [
        e.message for e in events if e.event == cozepy.ChatEventType.CONVERSATION_MESSAGE_DELTA
    ]
    assert "".join(message.content for message in deltas) == "It is -3 °C."
    assert deltas[0].reasoning_content == "Use the tool result."
    assert events[-1].chat.usage.token_count == 633


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("chat.create.response", Envelope[WireChat]),
        ("chat.retrieve.response", Envelope[WireChat]),
        ("chat.messages.list.response", Envelope[list[WireMessage]]),
        ("conversation.create.response", Envelope[WireConversation]),
        ("conversation.clear.response", Envelope[WireSection]),
        ("message.create.response", Envelope[WireMessage]),
        ("message.modify.response", ModifiedEnvelope[WireMessage]),
        ("message.list.response", CursorEnvelope[WireMessage]),
        ("message.list.empty.response", CursorEnvelope[WireMessage]),
        ("envelope.error", CozeError),
        ("openai.models.response", ModelList),
        ("openai.completion.response", Completion),
        ("openai.error.response", OpenAIError),
    ],
)
def test_our_shapes_hold_the_example_without_loss(name: str, shape: Any) -> None:
    example = json_of(name)

    ours = msgspec.to_builtins(msgspec.convert(example, shape))

    ours.setdefault("detail", None)
    for key, value in example.items():
        assert ours[key] == value


def test_cozepy_reads_the_examples_of_chats() -> None:
    created = coze(text_of("chat.create.response.json")).chat.create(bot_id="1", user_id="u")
    canceled = coze(text_of("chat.cancel.response.json")).chat.cancel(
        conversation_id=CONVERSATION, chat_id=CHAT
    )
    listed = coze(text_of("chat.messages.list.response.json")).chat.messages.list(
        conversation_id=CONVERSATION, chat_id=CHAT
    )

    assert created.status == cozepy.ChatStatus.IN_PROGRESS
    assert canceled.status == cozepy.ChatStatus.CANCELED
    assert [message.type.value for message in listed] == ["answer", "verbose"]


def test_cozepy_reads_the_examples_of_conversations() -> None:
    created = coze(text_of("conversation.create.response.json")).conversations.create()
    page = coze(text_of("conversation.list.response.json")).conversations.list(bot_id="1")
    cleared = coze(text_of("conversation.clear.response.json")).conversations.clear(
        conversation_id=CONVERSATION
    )

    assert created.meta_data == {"tenant": "t1"}
    assert [item.name for item in page.items] == ["weather"]
    assert cleared.conversation_id == CONVERSATION


@pytest.mark.parametrize(
    ("name", "count"), [("message.list.response", 2), ("message.list.empty.response", 0)]
)
def test_cozepy_reads_the_examples_of_message_pages(name: str, count: int) -> None:
    page = coze(text_of(f"{name}.json")).conversations.messages.list(conversation_id=CONVERSATION)

    assert len(page.items) == count
    assert not page.has_more


def test_cozepy_reads_the_examples_of_messages() -> None:
    created = coze(text_of("message.create.response.json")).conversations.messages.create(
        conversation_id=CONVERSATION,
        role=cozepy.MessageRole.USER,
        content="hi",
        content_type=cozepy.MessageContentType.TEXT,
    )
    modified = coze(text_of("message.modify.response.json")).conversations.messages.update(
        conversation_id=CONVERSATION, message_id=MESSAGE, content="Weather in Oslo?"
    )

    assert created.content == "hi"
    assert modified.content == "Weather in Oslo?"


def test_cozepy_raises_what_the_error_example_says() -> None:
    with pytest.raises(cozepy.CozeAPIError) as caught:
        coze(text_of("envelope.error.json")).chat.create(bot_id="1", user_id="u")

    assert caught.value.code == 4200


def test_our_error_body_has_the_form_of_the_example() -> None:
    ours = msgspec.to_builtins(CozeError.of(Failure.of(AgentNotFound("No such bot."))))

    assert ours.keys() == json_of("envelope.error").keys()
    assert ours["error"].keys() == json_of("envelope.error")["error"].keys()


def test_the_openai_renderer_writes_the_example_stream() -> None:
    context = RenderContext(run=run_view(), model=str(AGENT_ID), include_usage=True)
    body = RENDERERS.get("openai")(context).render(records(*scripted_chat()))

    *ours, ours_end = [event.data for event in parse(body)]
    example = text_of("openai.stream.sse").replace(b": keep-alive\n\n", b"")
    *theirs, their_end = [event.data for event in parse(example)]
    assert list(map(msgspec.json.decode, ours)) == list(map(msgspec.json.decode, theirs))
    assert ours_end == their_end == "[DONE]"


def test_the_completion_equals_the_example() -> None:
    answer = message_view("It is -3 °C.", reasoning="Use the tool result.")
    result = RunResult(run=completed().run, answers=(answer,))

    ours = msgspec.to_builtins(Completion.of(result, model=str(AGENT_ID)))

    assert ours == json_of("openai.completion.response")


def test_a_failure_on_the_openai_wire_ends_without_the_mark() -> None:
    events: list[RunEvent] = [
        RunCreated(run_view()),
        MessageStarted(message_id=ANSWER_ID),
        failed(),
    ]
    ours = [event.json for event in parse(rendered("openai", events, model=str(AGENT_ID)))]

    assert ours[-1] == parse(text_of("openai.stream.error.sse"))[-1].json
