"""Variables that workflows leave in conversations, on every database."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from domain.conversation.error import ConversationNotFound
from domain.conversation.repository import ConversationStore, FlowVariables
from domain.shared.access import TenantScope
from domain.shared.ids import ConversationId, SpaceId, UserId
from infra.impl.repository.sql.conversation.repository import SqlConversationStore
from infra.impl.repository.sql.engine.database import Database

NOW = datetime(2030, 5, 1, tzinfo=UTC)
SCOPE = TenantScope(UserId(1), frozenset({SpaceId(10)}))
FOREIGN = TenantScope(UserId(1), frozenset({SpaceId(11)}))


@pytest.fixture
def store(database: Database) -> ConversationStore:
    return SqlConversationStore(database)


async def put(store: ConversationStore, scope: TenantScope, **values: Any) -> None:
    kept = FlowVariables(
        conversation_id=ConversationId(4), workflow_id=7, space_id=SpaceId(10), values=values
    )
    async with store.transaction() as uow:
        await uow.flow_variables.put(scope, kept, now=NOW)
        await uow.commit()


async def get(
    store: ConversationStore, scope: TenantScope = SCOPE, *, conversation: int = 4, flow: int = 7
) -> Mapping[str, Any]:
    async with store.snapshot() as uow:
        return await uow.flow_variables.get(scope, ConversationId(conversation), flow)


async def test_a_workflow_finds_what_it_left_last_in_a_conversation(
    store: ConversationStore,
) -> None:
    assert await get(store) == {}

    await put(store, SCOPE, city="Oslo", gone=1)
    await put(store, SCOPE, city="Bern", tags=["a", None], deep={"x": 1.5}, nul="\x00")

    assert await get(store) == {
        "city": "Bern",
        "tags": ["a", None],
        "deep": {"x": 1.5},
        "nul": "\x00",
    }
    assert await get(store, flow=8) == {}
    assert await get(store, conversation=5) == {}


async def test_other_spaces_neither_see_nor_change_it(store: ConversationStore) -> None:
    await put(store, SCOPE, city="Oslo")

    assert await get(store, FOREIGN) == {}
    with pytest.raises(ConversationNotFound):
        await put(store, FOREIGN, city="Rome")
    assert await get(store) == {"city": "Oslo"}
