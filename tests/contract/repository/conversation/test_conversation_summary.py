"""Summaries of sections on every database: they hold as long as what they were made from does."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from domain.conversation.message import Message
from domain.conversation.repository import ConversationUnitOfWork
from domain.conversation.summary import SectionSummary, spoken_rounds
from domain.conversation.value import MessageKind, MessageStatus
from domain.shared.access import TenantScope
from domain.shared.chat import TextPart
from domain.shared.error import NotFound
from domain.shared.ids import AgentId, ConversationId, MessageId, RunId, SectionId, SpaceId, UserId
from infra.impl.repository.sql.conversation.repository import SqlConversationStore
from infra.impl.repository.sql.engine.database import Database

NOW = datetime(2030, 5, 1, tzinfo=UTC)
SCOPE = TenantScope(UserId(1), frozenset({SpaceId(10)}))
FOREIGN = TenantScope(UserId(1), frozenset({SpaceId(11)}))
TALK, SECTION = ConversationId(100), SectionId(101)


def message(seq: int, text: str) -> Message:
    """A question at odd numbers, an answer at even ones."""
    return Message(
        id=MessageId(seq),
        conversation_id=TALK,
        space_id=SpaceId(10),
        section_id=SECTION,
        run_id=RunId((seq + 1) // 2),
        agent_id=AgentId(5),
        seq=seq,
        kind=MessageKind.QUESTION if seq % 2 else MessageKind.ANSWER,
        parts=(TextPart(text=text),),
        created_at=NOW,
        updated_at=NOW,
    )


async def summarised(uow: ConversationUnitOfWork, *, upto_seq: int = 2) -> SectionSummary:
    """Two rounds, the first of them summarised."""
    await uow.messages.add(SCOPE, [message(seq, f"text {seq}") for seq in range(1, 5)])
    summary = SectionSummary(
        section_id=SECTION,
        conversation_id=TALK,
        space_id=SpaceId(10),
        upto_seq=upto_seq,
        text="They met.",
        tokens=3,
        basis=await uow.summaries.basis(SCOPE, TALK, SECTION, upto_seq=upto_seq),
        updated_at=NOW,
    )
    await uow.summaries.put(SCOPE, summary)
    return summary


async def test_a_summary_comes_back_and_is_replaced(database: Database) -> None:
    store = SqlConversationStore(database)
    async with store.transaction() as uow:
        first = await summarised(uow)
        assert await uow.summaries.get(SCOPE, SECTION) == first
        later = replace(first, text="They met again.")
        await uow.summaries.put(SCOPE, later)
        with pytest.raises(NotFound):
            await uow.summaries.put(FOREIGN, first)
        await uow.commit()

    async with store.snapshot() as uow:
        assert await uow.summaries.get(SCOPE, SECTION) == later
        assert await uow.summaries.get(FOREIGN, SECTION) is None
        past = await uow.summaries.past(SCOPE, TALK, SECTION, after_seq=2, limit=10)
        assert [each.text for each in spoken_rounds(past)] == ["user: text 3\nassistant: text 4"]
        assert not await uow.summaries.past(FOREIGN, TALK, SECTION, after_seq=0, limit=10)


@pytest.mark.parametrize(("seq", "holds"), [(2, False), (1, False), (3, True), (4, True)], ids=str)
@pytest.mark.parametrize("change", ["delete", "edit"])
async def test_what_it_was_made_from_must_not_change(
    database: Database, seq: int, change: str, *, holds: bool
) -> None:
    store = SqlConversationStore(database)
    async with store.transaction() as uow:
        await summarised(uow)
        changed = message(seq, "other")
        later = NOW + timedelta(seconds=1)
        if change == "delete":
            changed.delete(now=later)
        else:
            changed.edit(parts=changed.parts, is_text=True, meta=None, now=later)
        await uow.messages.update(SCOPE, changed)

        assert (await uow.summaries.get(SCOPE, SECTION) is not None) is holds


async def test_an_answer_made_anew_ends_what_was_said_of_it(database: Database) -> None:
    store = SqlConversationStore(database)
    async with store.transaction() as uow:
        await summarised(uow, upto_seq=4)
        await uow.messages.replace_run(SCOPE, RunId(2), now=NOW)

        assert await uow.summaries.get(SCOPE, SECTION) is None
        stored = await uow.messages.of_run(SCOPE, RunId(1), {MessageKind.ANSWER})
        assert [each.status for each in stored] == [MessageStatus.AVAILABLE]


async def test_a_conversation_takes_its_summaries_along(database: Database) -> None:
    store = SqlConversationStore(database)
    async with store.transaction() as uow:
        await summarised(uow)
        await uow.summaries.end(FOREIGN, TALK)
        assert await uow.summaries.get(SCOPE, SECTION) is not None
        await uow.summaries.end(SCOPE, TALK)
        assert await uow.summaries.get(SCOPE, SECTION) is None
