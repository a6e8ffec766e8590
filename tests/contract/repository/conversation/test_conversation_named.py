"""Names of conversations on every database."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from domain.conversation.conversation import Conversation
from domain.conversation.error import NameTaken
from domain.conversation.repository import ConversationName, ConversationStore, NameSpace
from domain.conversation.run import Run
from domain.conversation.value import RunStatus, WaitingFor
from domain.shared.access import TenantScope
from domain.shared.chat import ToolCall, Usage
from domain.shared.ids import AgentId, ConversationId, RunId, SectionId, SpaceId, UserId
from infra.impl.repository.sql.conversation.repository import SqlConversationStore
from infra.impl.repository.sql.engine.database import Database

NOW = datetime(2030, 5, 1, tzinfo=UTC)
SCOPE = TenantScope(UserId(1), frozenset({SpaceId(10)}))
PLACE = NameSpace(space_id=SpaceId(10), owner_id=7, end_user_id="eve")


@pytest.fixture
def store(database: Database) -> ConversationStore:
    return SqlConversationStore(database)


def conversation(number: int) -> Conversation:
    return Conversation.open(
        ConversationId(number),
        space_id=SpaceId(10),
        creator_id=UserId(1),
        now=NOW,
        connector_id=1024,
        end_user_id="eve",
    )


def named(number: int, name: str) -> ConversationName:
    return ConversationName(conversation_id=ConversationId(number), name=name, is_fixed=False)


async def give(store: ConversationStore, number: int, name: str) -> Conversation:
    opened = conversation(number)
    async with store.transaction() as uow:
        await uow.conversations.save(SCOPE, opened)
        await uow.names.add(SCOPE, PLACE, named(number, name), now=NOW)
        await uow.commit()
    return opened


async def test_a_name_is_found_where_it_was_given_only(store: ConversationStore) -> None:
    await give(store, 100, "Trip")
    others = (
        (TenantScope(UserId(2), frozenset({SpaceId(10)})), PLACE),
        (TenantScope(UserId(1), frozenset({SpaceId(11)})), PLACE),
        (SCOPE, replace(PLACE, owner_id=8)),
        (SCOPE, replace(PLACE, end_user_id="bob")),
    )
    async with store.snapshot() as uow:
        assert await uow.names.find(SCOPE, PLACE, "Trip") == named(100, "Trip")
        assert await uow.names.find(SCOPE, PLACE, "Work") is None
        for scope, place in others:
            assert await uow.names.find(scope, place, "Trip") is None
            assert await uow.names.list(scope, place, limit=9) == []


async def test_a_name_is_taken_until_its_conversation_is_deleted(store: ConversationStore) -> None:
    first = await give(store, 100, "Trip")
    with pytest.raises(NameTaken):
        await give(store, 101, "Trip")
    first.delete(now=NOW)
    async with store.transaction() as uow:
        await uow.conversations.save(SCOPE, first)
        await uow.commit()
    await give(store, 102, "Trip")
    async with store.snapshot() as uow:
        assert await uow.names.list(SCOPE, PLACE, limit=9) == [named(102, "Trip")]


async def test_purging_takes_names_along(store: ConversationStore) -> None:
    gone = await give(store, 100, "Trip")
    gone.delete(now=NOW)
    async with store.transaction() as uow:
        await uow.conversations.save(SCOPE, gone)
        await uow.commit()
    async with store.transaction() as uow:
        assert await uow.recovery.purge_conversations(before=NOW + timedelta(days=1), limit=9) == 1
        await uow.commit()
    await give(store, 103, "Trip")


async def test_a_run_that_waits_comes_back_equal_and_needs_no_lease(
    store: ConversationStore,
) -> None:
    run = Run(
        id=RunId(1),
        space_id=SpaceId(10),
        conversation_id=ConversationId(100),
        section_id=SectionId(100),
        agent_id=AgentId(0),
        agent_version="",
        creator_id=UserId(1),
        end_user_id="eve",
        connector_id=1024,
        question_id=None,
        workflow_run_id=55,
        created_at=NOW,
    ).accepted()
    run.claim("me", until=NOW, now=NOW)
    call = ToolCall(id="c", name="look", arguments="{}")
    waits_for = WaitingFor(
        workflow_run_id=55, question_id="q", workflow_id=9, state="{}", calls=(call,), last_event=7
    )
    until = NOW + timedelta(days=1)
    run.suspend(waits_for, now=NOW, usage=Usage(input_tokens=3), until=until)
    async with store.transaction() as uow:
        await uow.runs.save(SCOPE, run)
        await uow.commit()
    async with store.transaction() as uow:
        found = await uow.runs.get(SCOPE, RunId(1))
        early = until - timedelta(microseconds=1)
        assert await uow.recovery.expired(now=early, limit=9) == []
        late = await uow.recovery.expired(now=until + timedelta(seconds=1), limit=9)
        assert [each.id for each in late] == [run.id]
        assert await uow.recovery.abandoned("other", limit=9) == []
    assert (found.status, found.waits_for) == (RunStatus.REQUIRES_ACTION, waits_for)
    assert (found.workflow_run_id, found.lease_owner) == (55, "")
