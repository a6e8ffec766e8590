"""Who is active in a section, on every database."""

from datetime import UTC, datetime

import pytest

from domain.conversation.error import ConversationNotFound
from domain.conversation.repository import ActiveAgent, ConversationStore
from domain.shared.access import TenantScope
from domain.shared.ids import AgentId, ConversationId, SectionId, SpaceId, UserId
from infra.impl.repository.sql.conversation.repository import SqlConversationStore
from infra.impl.repository.sql.engine.database import Database

NOW = datetime(2030, 5, 1, tzinfo=UTC)
SCOPE = TenantScope(UserId(1), frozenset({SpaceId(10)}))
FOREIGN = TenantScope(UserId(1), frozenset({SpaceId(11)}))


@pytest.fixture
def store(database: Database) -> ConversationStore:
    return SqlConversationStore(database)


def active(*path: int, section: int = 5) -> ActiveAgent:
    return ActiveAgent(
        conversation_id=ConversationId(4),
        section_id=SectionId(section),
        space_id=SpaceId(10),
        agent_id=AgentId(20),
        path=path,
    )


async def put(store: ConversationStore, scope: TenantScope, given: ActiveAgent) -> None:
    async with store.transaction() as uow:
        await uow.active_agents.put(scope, given, now=NOW)
        await uow.commit()


async def path(store: ConversationStore, scope: TenantScope, section: int = 5) -> tuple[int, ...]:
    async with store.snapshot() as uow:
        return await uow.active_agents.path(scope, SectionId(section), AgentId(20))


async def test_a_section_remembers_to_whom_it_was_handed_last(store: ConversationStore) -> None:
    assert await path(store, SCOPE) == ()

    await put(store, SCOPE, active(21, 22))
    await put(store, SCOPE, active(21))

    assert await path(store, SCOPE) == (21,)
    assert await path(store, SCOPE, section=6) == ()
    await put(store, SCOPE, active())
    assert await path(store, SCOPE) == ()


async def test_other_spaces_neither_see_nor_change_it(store: ConversationStore) -> None:
    await put(store, SCOPE, active(21))

    assert await path(store, FOREIGN) == ()
    with pytest.raises(ConversationNotFound):
        await put(store, FOREIGN, active(22))
    assert await path(store, SCOPE) == (21,)
