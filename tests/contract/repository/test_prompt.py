"""What the store of prompts promises, on every database."""

import pytest

from domain.prompt.entity import Prompt, PromptId
from domain.prompt.error import PromptNotFound
from domain.prompt.repository import PromptQuery
from domain.prompt.value import PromptContent
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.prompt import SqlPromptStore
from tests.support.clock import FrozenClock

LIMITS = Limits()
USER = UserId(7)
SPACE, OTHER = SpaceId(2), SpaceId(3)
SCOPE = TenantScope(USER, frozenset({SPACE}))
FOREIGN = TenantScope(UserId(8), frozenset({OTHER}))


def prompt(clock: FrozenClock, number: int, name: str = "Kind") -> Prompt:
    return Prompt.create(
        PromptId(number),
        space_id=SPACE,
        creator_id=USER,
        content=PromptContent(name=name, description="", text="Be {{how}}."),
        limits=LIMITS,
        now=clock.now(),
    )


async def test_a_prompt_is_kept_changed_and_removed(database: Database, clock: FrozenClock) -> None:
    store = SqlPromptStore(database)
    async with store.transaction() as uow:
        for number, name in enumerate(["Kind", "Rude", "Unkind"], 1):
            await uow.prompts.save(SCOPE, prompt(clock, number, name))
        await uow.commit()

    async with store.transaction() as uow:
        first = await uow.prompts.get(SCOPE, PromptId(1))
        stale = await uow.prompts.get(SCOPE, PromptId(1))
        content = PromptContent(name="Kinder", description="d", text="城")
        first.change(content, actor_id=USER, limits=LIMITS, now=clock.now())
        await uow.prompts.save(SCOPE, first)
        with pytest.raises(StaleRevision):
            await uow.prompts.save(SCOPE, stale)
        with pytest.raises(PromptNotFound):
            await uow.prompts.delete(FOREIGN, first)
        await uow.prompts.delete(SCOPE, await uow.prompts.get(SCOPE, PromptId(2)))
        await uow.commit()

    async with store.snapshot() as uow:
        found, total = await uow.prompts.search(SCOPE, PromptQuery(limit=1, text="KIND"))
        assert ([each.content.name for each in found], total) == (["Unkind"], 2)
        found, _ = await uow.prompts.search(SCOPE, PromptQuery(limit=5, after_id=PromptId(3)))
        assert [each.content for each in found] == [content]
        for scope, number in ((FOREIGN, 1), (SCOPE, 2)):
            with pytest.raises(PromptNotFound):
                await uow.prompts.get(scope, PromptId(number))
