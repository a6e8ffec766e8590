"""Conversations and messages as their owner handles them."""

import msgspec
import pytest

from application.conversation.dto import (
    AddMessage,
    ConversationQuery,
    CreateConversation,
    EditMessage,
    GiveFeedback,
    MessageQuery,
    RunQuery,
)
from crossdomain.file.contract import FileDescription
from domain.conversation.error import (
    ConversationNotFound,
    MessageNotEditable,
    MessageNotFound,
    RunNotFound,
)
from domain.conversation.value import FeedbackKind, MessageKind
from domain.shared.access import Principal, Role
from domain.shared.chat import ImagePart, TextPart
from domain.shared.error import Forbidden, InvalidRequest, NotFound, RequestTooLarge
from domain.shared.ids import FileId
from domain.shared.limits import Limits
from tests.support.conversation.harness import Process, principal, text_message


async def _conversation(process: Process, who: Principal, *texts: str) -> tuple[int, list[int]]:
    conversation = await process.conversations.create(who, CreateConversation(agent_id=20))
    ids = [
        (
            await process.messages.create(
                who, AddMessage(conversation_id=conversation.id, message=text_message(text))
            )
        ).id
        for text in texts
    ]
    return conversation.id, ids


async def test_a_conversation_is_named_after_its_first_question(
    process: Process, who: Principal
) -> None:
    created = await process.conversations.create(
        who,
        CreateConversation(
            messages=(text_message("hello", role="assistant"), text_message("q" * 200))
        ),
    )
    named = await process.conversations.create(who, CreateConversation(name=" mine "))

    assert (created.name, named.name) == ("q" * 100, "mine")
    assert created.section_id == created.id
    assert created.space_id == who.personal_space_id
    assert [m.text for m in await process.shown(who, created.id)] == ["hello", "q" * 200]


async def test_only_its_owner_reaches_a_conversation(process: Process, who: Principal) -> None:
    conversation_id, (message_id,) = await _conversation(process, who, "x")
    colleague = principal(2)

    with pytest.raises(ConversationNotFound):
        await process.conversations.get(colleague, conversation_id)
    with pytest.raises(ConversationNotFound):
        await process.conversations.rename(colleague, conversation_id, name="n")
    with pytest.raises(ConversationNotFound):
        await process.conversations.delete(colleague, conversation_id)
    with pytest.raises(ConversationNotFound):
        await process.messages.get(colleague, conversation_id, message_id)
    with pytest.raises(ConversationNotFound):
        await process.messages.list(colleague, conversation_id, MessageQuery())


async def test_conversations_are_listed_by_agent_and_connector(
    process: Process, who: Principal
) -> None:
    ids = [
        (await process.conversations.create(who, CreateConversation(agent_id=20))).id
        for _ in range(3)
    ]
    await process.conversations.create(who, CreateConversation())
    await process.conversations.create(
        who, CreateConversation(agent_id=20, connector_id=999, end_user_id="eve")
    )

    query = ConversationQuery(agent_id=20, page_size=2)
    newest = await process.conversations.list(who, query)
    oldest = await process.conversations.list(
        who, msgspec.structs.replace(query, descending=False, page_num=2)
    )
    other = await process.conversations.list(
        who, ConversationQuery(agent_id=20, connector_id=999, end_user_id="eve")
    )

    assert ([c.id for c in newest.items], newest.has_more, newest.total) == (
        [ids[2], ids[1]],
        True,
        3,
    )
    assert ([c.id for c in oldest.items], oldest.has_more) == ([ids[2]], False)
    assert other.total == 1
    with pytest.raises(InvalidRequest):
        await process.conversations.list(who, msgspec.structs.replace(query, page_num=0))


async def test_renaming_and_deleting(process: Process, who: Principal) -> None:
    conversation_id, _ = await _conversation(process, who, "x")

    renamed = await process.conversations.rename(who, conversation_id, name=" new ")
    assert renamed.name == "new"
    for name in ("", " ", "n" * 101):
        with pytest.raises(InvalidRequest):
            await process.conversations.rename(who, conversation_id, name=name)
    await process.conversations.delete(who, conversation_id)
    with pytest.raises(ConversationNotFound):
        await process.conversations.delete(who, conversation_id)


@pytest.mark.parametrize(
    ("descending", "before", "after", "expected", "has_more"),
    [
        (True, None, None, [4, 3], True),
        (True, None, 3, [2, 1], True),
        (True, None, 2, [1, 0], False),
        (True, 1, None, [3, 2], True),
        (True, 3, None, [4], False),
        (False, None, None, [0, 1], True),
        (False, None, 1, [2, 3], True),
        (False, 3, None, [1, 2], True),
        (False, 2, None, [0, 1], False),
        (False, 0, None, [], False),
    ],
)
async def test_pages_follow_the_order_of_the_list(
    process: Process,
    who: Principal,
    *,
    descending: bool,
    before: int | None,
    after: int | None,
    expected: list[int],
    has_more: bool,
) -> None:
    conversation_id, ids = await _conversation(process, who, *"abcde")

    page = await process.messages.list(
        who,
        conversation_id,
        MessageQuery(
            descending=descending,
            before_id=None if before is None else ids[before],
            after_id=None if after is None else ids[after],
            limit=2,
        ),
    )

    assert [m.id for m in page.items] == [ids[number] for number in expected]
    assert page.has_more == has_more


async def test_both_cursors_and_unknown_ones_are_refused(process: Process, who: Principal) -> None:
    conversation_id, (first,) = await _conversation(process, who, "a")
    _, (foreign,) = await _conversation(process, who, "b")

    with pytest.raises(InvalidRequest):
        await process.messages.list(
            who, conversation_id, MessageQuery(before_id=first, after_id=first)
        )
    with pytest.raises(MessageNotFound):
        await process.messages.list(who, conversation_id, MessageQuery(after_id=foreign))


async def test_editing_changes_what_is_given(process: Process, who: Principal) -> None:
    conversation_id, (message_id,) = await _conversation(process, who, "old")

    edited = await process.messages.edit(
        who,
        EditMessage(
            conversation_id=conversation_id,
            message_id=message_id,
            parts=(TextPart(text="new"),),
        ),
    )
    tagged = await process.messages.edit(
        who,
        EditMessage(conversation_id=conversation_id, message_id=message_id, meta={"k": "v"}),
    )

    assert (edited.text, tagged.text, tagged.meta) == ("new", "new", {"k": "v"})
    with pytest.raises(MessageNotFound):
        await process.messages.edit(
            who, EditMessage(conversation_id=conversation_id, message_id=1, meta={})
        )


async def test_deleting_an_answer_takes_the_details_of_its_run_along(
    process: Process, who: Principal
) -> None:
    records = await process.ask(who, "hi")
    run = records[-1].event.run  # type: ignore[union-attr]
    question, answer, mark = await process.shown(who, run.conversation_id)

    with pytest.raises(MessageNotEditable):
        await process.messages.delete(who, run.conversation_id, mark.id)
    deleted = await process.messages.delete(who, run.conversation_id, answer.id)

    assert deleted.text == "You said: hi"
    assert [m.id for m in await process.shown(who, run.conversation_id)] == [question.id]
    with pytest.raises(MessageNotFound):
        await process.messages.get(who, run.conversation_id, answer.id)


async def test_only_answers_are_rated_and_the_last_verdict_counts(
    process: Process, who: Principal
) -> None:
    records = await process.ask(who, "hi")
    run = records[-1].event.run  # type: ignore[union-attr]
    question, answer, _ = await process.shown(who, run.conversation_id)
    verdict = GiveFeedback(
        conversation_id=run.conversation_id, message_id=answer.id, kind=FeedbackKind.LIKE
    )

    await process.messages.give_feedback(who, verdict)
    await process.messages.give_feedback(
        who, msgspec.structs.replace(verdict, kind=FeedbackKind.UNLIKE, comment="no")
    )
    await process.messages.withdraw_feedback(who, run.conversation_id, answer.id)
    await process.messages.withdraw_feedback(who, run.conversation_id, answer.id)
    with pytest.raises(InvalidRequest):
        await process.messages.give_feedback(
            who, msgspec.structs.replace(verdict, message_id=question.id)
        )
    with pytest.raises(InvalidRequest):
        await process.messages.give_feedback(
            who, msgspec.structs.replace(verdict, comment="c" * 501)
        )


async def test_files_must_exist_and_are_shown_with_addresses(
    process: Process, who: Principal
) -> None:
    picture = FileDescription(
        id=FileId(7), name="sky.png", media_type="image/png", size=3, url="http://x/7", sha256="0"
    )
    process.files.known[FileId(7)] = picture
    conversation_id, _ = await _conversation(process, who)
    message = msgspec.structs.replace(
        text_message("?"),
        parts=(TextPart(text="?"), ImagePart(file_id=7), ImagePart(url="http://y/8")),
        is_text=False,
    )

    stored = await process.messages.create(
        who, AddMessage(conversation_id=conversation_id, message=message)
    )
    process.files.known.clear()
    later = await process.messages.get(who, conversation_id, stored.id)

    assert stored.parts[1] == ImagePart(
        file_id=7, url="http://x/7", name="sky.png", media_type="image/png", size=3
    )
    assert later.parts[1] == ImagePart(file_id=7)
    with pytest.raises(NotFound):
        await process.messages.create(
            who, AddMessage(conversation_id=conversation_id, message=message)
        )


async def test_messages_have_limits(process: Process, who: Principal) -> None:
    conversation_id, _ = await _conversation(process, who)
    too_long = text_message("x" * (Limits().message_bytes + 1))

    with pytest.raises(RequestTooLarge):
        await process.messages.create(
            who, AddMessage(conversation_id=conversation_id, message=too_long)
        )
    with pytest.raises(InvalidRequest):
        await process.messages.create(
            who, AddMessage(conversation_id=conversation_id, message=text_message(" "))
        )
    with pytest.raises(InvalidRequest):
        await process.conversations.create(
            who, CreateConversation(messages=(text_message("x"),) * 17)
        )


async def test_administrators_see_everybodys_runs_without_content(
    process: Process, who: Principal
) -> None:
    records = await process.ask(who, "hi")
    run = records[-1].event.run  # type: ignore[union-attr]
    await process.ask(who, "ho")

    page = await process.support.runs(principal(2), RunQuery(space_id=10, limit=1))
    rest = await process.support.runs(
        principal(2), RunQuery(space_id=10, before_id=page.items[0].id)
    )

    assert page.has_more
    assert [found.id for found in rest.items] == [run.id]
    assert (await process.support.run(principal(2), run.id)).id == run.id
    with pytest.raises(Forbidden):
        await process.support.runs(principal(3, role=Role.EDITOR), RunQuery(space_id=10))
    with pytest.raises(RunNotFound):
        await process.support.run(principal(4, space_id=11), run.id)


async def test_kinds_beyond_questions_and_answers_are_listed_on_request(
    process: Process, who: Principal
) -> None:
    records = await process.ask(who, "hi")
    conversation_id = records[-1].event.run.conversation_id  # type: ignore[union-attr]

    plain = await process.messages.list(who, conversation_id, MessageQuery())
    verbose = await process.messages.list(
        who, conversation_id, MessageQuery(kinds=frozenset({MessageKind.VERBOSE}))
    )

    assert [m.kind for m in plain.items] == [MessageKind.ANSWER, MessageKind.QUESTION]
    assert [m.kind for m in verbose.items] == [MessageKind.VERBOSE]
