"""Conversations, messages and feedback through the official Python client."""

import json

import httpx
import pytest
from cozepy import (
    Coze,
    CozeAPIError,
    Message,
    MessageContentType,
    MessageObjectString,
    MessageRole,
    MessageType,
)
from cozepy.conversations.message.feedback import FeedbackType

from tests.support.client.seed import Seed
from tests.upstream.fixture import RunningUpstream


@pytest.fixture
def conversation_id(coze: Coze) -> str:
    return coze.conversations.create().id


def _add(coze: Coze, conversation_id: str, *texts: str) -> list[str]:
    return [
        coze.conversations.messages.create(
            conversation_id=conversation_id,
            role=MessageRole.USER,
            content=text,
            content_type=MessageContentType.TEXT,
        ).id
        for text in texts
    ]


def test_a_conversation_keeps_what_it_was_created_with(coze: Coze, seed: Seed) -> None:
    made = coze.conversations.create(
        bot_id=seed.agent(),
        name="Plans",
        meta_data={"tenant": "t1"},
        messages=[
            Message.build_user_question_text("Hello"),
            Message.build_assistant_answer("Hi."),
        ],
    )

    found = coze.conversations.retrieve(conversation_id=made.id)
    shown = list(coze.conversations.messages.list(conversation_id=made.id, order="asc"))

    assert (found.name, found.meta_data) == ("Plans", {"tenant": "t1"})
    assert found.last_section_id == made.last_section_id
    assert found.connector_id == "1024"
    assert [(m.type, m.content) for m in shown] == [
        (MessageType.QUESTION, "Hello"),
        (MessageType.ANSWER, "Hi."),
    ]


def test_renaming_and_deleting(coze: Coze, conversation_id: str) -> None:
    assert coze.conversations.update(conversation_id=conversation_id, name="New").name == "New"

    coze.conversations.delete(conversation_id=conversation_id)

    with pytest.raises(CozeAPIError) as gone:
        coze.conversations.retrieve(conversation_id=conversation_id)
    assert gone.value.code == 4200


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_message_is_retrieved_by_either_method(
    coze: Coze, client: httpx.Client, conversation_id: str, method: str
) -> None:
    message_id = _add(coze, conversation_id, "find me")[0]

    found = client.request(
        method,
        "/v1/conversation/message/retrieve",
        params={"conversation_id": conversation_id, "message_id": message_id},
    ).json()["data"]

    assert (found["id"], found["content"]) == (message_id, "find me")


def test_an_answer_with_a_picture_is_kept_and_named_to_the_model(
    coze: Coze, seed: Seed, upstream: RunningUpstream
) -> None:
    picture_of_it = MessageObjectString.build_image(file_url="https://example.org/cat.png")
    shown = Message.build_assistant_answer("")
    shown.content_type = MessageContentType.OBJECT_STRING
    shown.content = json.dumps([{"type": "text", "text": "Look:"}, picture_of_it.model_dump()])
    question = Message.build_user_question_text("And now?")

    chat = coze.chat.create_and_poll(
        bot_id=seed.agent("echo-pictured"), user_id="me", additional_messages=[shown, question]
    ).chat

    sent = upstream.requests(model="echo-pictured")[-1].body["messages"]
    assert [(m["role"], m["content"]) for m in sent if m["role"] != "system"] == [
        ("assistant", "Look:\n[image: https://example.org/cat.png]"),
        ("user", "And now?"),
    ]
    stored = list(
        coze.conversations.messages.list(conversation_id=chat.conversation_id, order="asc")
    )
    assert stored[0].content_type == MessageContentType.OBJECT_STRING
    assert [part["type"] for part in json.loads(stored[0].content)] == ["text", "image"]


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_conversations_are_paged_to_the_end(coze: Coze, seed: Seed, size: int) -> None:
    bot_id = seed.new_agent("paging")
    made = [coze.conversations.create(bot_id=bot_id).id for _ in range(5)]

    pages = coze.conversations.list(bot_id=bot_id, page_size=size)

    assert [conversation.id for conversation in pages] == made[::-1]


def test_clearing_starts_a_section_and_keeps_the_messages(coze: Coze, conversation_id: str) -> None:
    before = coze.conversations.retrieve(conversation_id=conversation_id).last_section_id
    _add(coze, conversation_id, "old")

    section = coze.conversations.clear(conversation_id=conversation_id)

    assert section.conversation_id == conversation_id
    assert section.id != before
    after = coze.conversations.retrieve(conversation_id=conversation_id)
    assert after.last_section_id == section.id
    shown = list(coze.conversations.messages.list(conversation_id=conversation_id))
    assert [message.content for message in shown] == ["old"]


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("size", [1, 3, 4, 7, 50])
def test_messages_are_paged_in_both_orders(
    coze: Coze, conversation_id: str, order: str, size: int
) -> None:
    made = _add(coze, conversation_id, *"abcdefg")

    pages = coze.conversations.messages.list(
        conversation_id=conversation_id, order=order, limit=size
    )

    assert [message.id for message in pages] == (made if order == "asc" else made[::-1])


def test_cursors_exclude_their_message_and_follow_the_order(
    coze: Coze, conversation_id: str
) -> None:
    made = _add(coze, conversation_id, *"abcde")

    def ids(**more: str) -> list[str]:
        pages = coze.conversations.messages.list(conversation_id=conversation_id, **more)
        return [message.id for message in pages.items]

    assert ids(order="desc", after_id=made[2]) == [made[1], made[0]]
    assert ids(order="asc", after_id=made[2]) == made[3:]
    assert ids(order="asc", before_id=made[2]) == made[:2]
    assert ids(order="desc", before_id=made[2]) == [made[4], made[3]]


def test_an_empty_conversation_has_an_empty_page(coze: Coze, conversation_id: str) -> None:
    assert list(coze.conversations.messages.list(conversation_id=conversation_id)) == []


def test_messages_are_read_changed_and_removed(coze: Coze, conversation_id: str) -> None:
    messages = coze.conversations.messages
    (made,) = _add(coze, conversation_id, "draft")

    changed = messages.update(
        conversation_id=conversation_id,
        message_id=made,
        content="final",
        content_type=MessageContentType.TEXT,
        meta_data={"edited": "yes"},
    )
    found = messages.retrieve(conversation_id=conversation_id, message_id=made)
    removed = messages.delete(conversation_id=conversation_id, message_id=made)

    assert (changed.content, found.content, removed.id) == ("final", "final", made)
    assert found.meta_data == {"edited": "yes"}
    with pytest.raises(CozeAPIError) as gone:
        messages.retrieve(conversation_id=conversation_id, message_id=made)
    assert gone.value.code == 4200


def test_answers_are_rated_and_the_rating_withdrawn(coze: Coze, seed: Seed) -> None:
    polled = coze.chat.create_and_poll(
        bot_id=seed.agent(),
        user_id="me",
        additional_messages=[Message.build_user_question_text("Rate me")],
    )
    conversation_id = polled.chat.conversation_id
    answer = next(m.id for m in polled.messages or [] if m.type == MessageType.ANSWER)
    question = next(
        message.id
        for message in coze.conversations.messages.list(conversation_id=conversation_id)
        if message.type == MessageType.QUESTION
    )
    feedback = coze.conversations.messages.feedback

    for kind in (FeedbackType.LIKE, FeedbackType.UNLIKE):
        feedback.create(
            conversation_id=conversation_id,
            message_id=str(answer),
            feedback_type=kind,
            reason_types=["harmful"],
            comment="no",
        )
    feedback.delete(conversation_id=conversation_id, message_id=str(answer))

    with pytest.raises(CozeAPIError) as refused:
        feedback.create(
            conversation_id=conversation_id,
            message_id=str(question),
            feedback_type=FeedbackType.LIKE,
        )
    assert refused.value.code == 4000


def test_a_conversation_without_agent_is_bound_by_its_first_chat(
    coze: Coze, seed: Seed, conversation_id: str
) -> None:
    bot_id = seed.new_agent("binding")

    coze.chat.create_and_poll(
        bot_id=bot_id,
        user_id="me",
        conversation_id=conversation_id,
        additional_messages=[Message.build_user_question_text("My name is Ann.")],
    )

    assert [c.id for c in coze.conversations.list(bot_id=bot_id)] == [conversation_id]
    assert coze.conversations.retrieve(conversation_id=conversation_id).name == "My name is Ann."
