"""Chats through the official Python client."""

import pytest
from cozepy import (
    ChatEventType,
    ChatStatus,
    Coze,
    CozeAPIError,
    Message,
    MessageObjectString,
    MessageType,
    SyncHTTPClient,
    TokenAuth,
)

from tests.support.client.seed import Seed
from tests.support.process.server import RunningServer
from tests.upstream.fixture import RunningUpstream

QUESTION = Message.build_user_question_text("Tell me about Coterie")


def test_a_stream_ends_with_usage_and_one_completed_answer(coze: Coze, seed: Seed) -> None:
    stream = coze.chat.stream(
        bot_id=seed.agent(), user_id="me", additional_messages=[QUESTION], meta_data={"k": "v"}
    )
    events = list(stream)

    kinds = [event.event for event in events]
    assert kinds[:2] == [
        ChatEventType.CONVERSATION_CHAT_CREATED,
        ChatEventType.CONVERSATION_CHAT_IN_PROGRESS,
    ]
    assert kinds[-1] == ChatEventType.CONVERSATION_CHAT_COMPLETED
    completed = [
        event.message
        for event in events
        if event.event == ChatEventType.CONVERSATION_MESSAGE_COMPLETED and event.message
    ]
    assert [m.content for m in completed if m.type == MessageType.ANSWER] == [QUESTION.content]
    end = next(
        e.chat for e in events if e.event == ChatEventType.CONVERSATION_CHAT_COMPLETED and e.chat
    )
    assert end.status == ChatStatus.COMPLETED
    assert end.meta_data == {"k": "v"}
    assert end.usage is not None
    assert end.usage.token_count == end.usage.input_count + end.usage.output_count > 0
    assert stream.response.logid


def test_an_alias_stands_for_the_agent(coze: Coze, seed: Seed) -> None:
    agent_id = seed.new_agent("Aliased")
    seed.call("PATCH", f"/agents/{agent_id}", {"alias": "by-this-name"})

    chat = coze.chat.create(bot_id="by-this-name", user_id="me", additional_messages=[QUESTION])
    assert chat.bot_id == agent_id
    with pytest.raises(CozeAPIError, match="unknown-name does not exist"):
        coze.chat.create(bot_id="unknown-name", user_id="me", additional_messages=[QUESTION])


def test_creating_polls_until_the_answer_is_there(coze: Coze, seed: Seed) -> None:
    bot_id = seed.agent("late-1200")
    chat = coze.chat.create(bot_id=bot_id, user_id="me", additional_messages=[QUESTION])
    assert chat.status == ChatStatus.IN_PROGRESS

    found = coze.chat.create_and_poll(
        bot_id=bot_id, user_id="me", additional_messages=[QUESTION], poll_timeout=60
    )

    assert found.chat.status == ChatStatus.COMPLETED
    assert [m.content for m in found.messages or [] if m.type == MessageType.ANSWER] == [
        QUESTION.content
    ]


def test_retrieve_and_messages_show_the_finished_chat(coze: Coze, seed: Seed) -> None:
    polled = coze.chat.create_and_poll(
        bot_id=seed.agent(), user_id="me", additional_messages=[QUESTION]
    ).chat

    found = coze.chat.retrieve(conversation_id=polled.conversation_id, chat_id=polled.id)
    messages = list(
        coze.chat.messages.list(conversation_id=polled.conversation_id, chat_id=polled.id)
    )

    assert found.status == ChatStatus.COMPLETED
    assert found.bot_id == seed.agent()
    assert [message.type for message in messages] == [MessageType.ANSWER, MessageType.VERBOSE]
    assert {message.chat_id for message in messages} == {polled.id}


def test_cancel_stops_a_chat_once(coze: Coze, seed: Seed) -> None:
    chat = coze.chat.create(
        bot_id=seed.agent("stall"), user_id="me", additional_messages=[QUESTION]
    )

    canceled = coze.chat.cancel(conversation_id=chat.conversation_id, chat_id=chat.id)

    assert canceled.status == "canceled"
    with pytest.raises(CozeAPIError) as refused:
        coze.chat.cancel(conversation_id=chat.conversation_id, chat_id=chat.id)
    assert refused.value.code == 4104


def test_polling_too_long_cancels(coze: Coze, seed: Seed) -> None:
    polled = coze.chat.create_and_poll(
        bot_id=seed.agent("stall"), user_id="me", additional_messages=[QUESTION], poll_timeout=0
    ).chat

    found = coze.chat.retrieve(conversation_id=polled.conversation_id, chat_id=polled.id)
    assert found.status == "canceled"


def test_context_messages_reach_the_model_before_the_question(
    coze: Coze, seed: Seed, upstream: RunningUpstream
) -> None:
    behaviour = "echo-with-context"
    coze.chat.create_and_poll(
        bot_id=seed.agent(behaviour),
        user_id="me",
        additional_messages=[
            Message.build_user_question_text("Who are you?"),
            Message.build_assistant_answer("I am a bot."),
            Message.build_user_question_text("What about me?"),
        ],
    )

    sent = upstream.requests(model=behaviour)[-1].body["messages"]
    assert [(m["role"], m["content"]) for m in sent if m["role"] != "system"] == [
        ("user", "Who are you?"),
        ("assistant", "I am a bot."),
        ("user", "What about me?"),
    ]


def test_custom_variables_fill_the_prompt(
    coze: Coze, seed: Seed, upstream: RunningUpstream
) -> None:
    model_id = seed.model("echo-with-variables")
    bot_id = seed.new_agent(
        "variables",
        model={"model_id": model_id},
        prompt={"text": "You live in {{city}} and like {{food}}."},
        variables=[{"key": "food", "default_value": "soup"}],
    )

    coze.chat.create_and_poll(
        bot_id=bot_id,
        user_id="me",
        additional_messages=[QUESTION],
        custom_variables={"city": "Oslo"},
    )

    system = upstream.requests(model="echo-with-variables")[-1].body["messages"][0]
    assert system["role"] == "system"
    assert "You live in Oslo and like soup." in system["content"]


def test_reasoning_comes_before_the_answer_and_apart_from_it(coze: Coze, seed: Seed) -> None:
    events = list(
        coze.chat.stream(
            bot_id=seed.agent("reasoning"), user_id="me", additional_messages=[QUESTION]
        )
    )

    deltas = [
        e.message
        for e in events
        if e.event == ChatEventType.CONVERSATION_MESSAGE_DELTA and e.message
    ]
    assert "".join(m.reasoning_content or "" for m in deltas) == "Let me see."
    assert "".join(m.content for m in deltas) == "The answer."
    assert len({m.id for m in deltas}) == 1
    assert not deltas[0].content


@pytest.mark.parametrize(
    ("bot_id", "code"), [("1", 4200), ("not an id", 4000), ("", 4000)], ids=["unknown", "no", "nil"]
)
def test_an_unusable_agent_is_an_error_with_a_log_id(coze: Coze, bot_id: str, code: int) -> None:
    with pytest.raises(CozeAPIError) as refused:
        list(coze.chat.stream(bot_id=bot_id, user_id="me", additional_messages=[QUESTION]))

    assert refused.value.code == code
    assert refused.value.logid


def test_a_wrong_token_is_refused_by_code(server: RunningServer) -> None:
    transport = SyncHTTPClient()  # type: ignore[no-untyped-call]
    stranger = Coze(
        auth=TokenAuth("pat_nobody_nobody_nobody"), base_url=server.url, http_client=transport
    )

    with pytest.raises(CozeAPIError) as refused:
        stranger.users.me()
    transport.close()

    assert refused.value.code == 4100


def test_a_multi_part_question_is_listed_with_its_parts(coze: Coze, seed: Seed) -> None:
    parts = [MessageObjectString.build_text("first"), MessageObjectString.build_text("second")]
    polled = coze.chat.create_and_poll(
        bot_id=seed.agent(),
        user_id="me",
        additional_messages=[Message.build_user_question_objects(parts)],
    ).chat

    (question, _) = list(
        coze.conversations.messages.list(conversation_id=polled.conversation_id, order="asc")
    )
    assert question.content_type == "object_string"
    assert "first" in question.content
    assert "second" in question.content
