"""What the store of apps promises, on every database."""

import pytest

from domain.app.entity import App
from domain.app.error import AppNotFound, AppVersionNotFound
from domain.app.repository import AppQuery
from domain.app.rules import AppRules
from domain.app.value import AppContent, AppId, AppVariable, AppVersionId
from domain.shared.access import CONNECTOR_API, CONNECTOR_WEB_SDK, TenantScope
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from infra.impl.repository.sql.app.repository import SqlAppStore
from infra.impl.repository.sql.engine.database import Database
from tests.support.clock import FrozenClock

LIMITS = Limits()
RULES = AppRules(LIMITS)
USER = UserId(7)
SPACE, OTHER = SpaceId(2), SpaceId(3)
SCOPE = TenantScope(USER, frozenset({SPACE}))
FOREIGN = TenantScope(UserId(8), frozenset({OTHER}))
CONTENT = AppContent(variables=(AppVariable(keyword="city", default_value="城"),))


def app(clock: FrozenClock, number: int, name: str = "Shop") -> App:
    return App.create(
        AppId(number),
        space_id=SPACE,
        creator_id=USER,
        name=name,
        description="d",
        icon_file_id=None,
        content=CONTENT,
        rules=RULES,
        now=clock.now(),
    )


async def test_an_app_comes_back_with_its_versions(database: Database, clock: FrozenClock) -> None:
    store = SqlAppStore(database)
    made = app(clock, 1)
    version = made.publish(
        AppVersionId(5),
        label="",
        note="first",
        connector_ids=(CONNECTOR_API,),
        actor_id=USER,
        rules=RULES,
        now=clock.now(),
    )
    async with store.transaction() as uow:
        await uow.versions.add(SCOPE, version)
        await uow.apps.save(SCOPE, made)
        await uow.commit()

    async with store.snapshot() as uow:
        found = await uow.apps.get(SCOPE, made.id)
        assert (found.content, found.latest_version, found.revision) == (CONTENT, "v0.0.1", 1)
        assert await uow.versions.get(SCOPE, made.id, "v0.0.1") == version
        assert await uow.versions.page(SCOPE, made.id, offset=0, limit=5) == ([version], 1)
        with pytest.raises(AppVersionNotFound):
            await uow.versions.get(SCOPE, made.id, "v9.9.9")
        with pytest.raises(AppNotFound):
            await uow.apps.get(FOREIGN, made.id)
        with pytest.raises(AppVersionNotFound):
            await uow.versions.get(FOREIGN, made.id, "v0.0.1")
    async with store.transaction() as uow:
        with pytest.raises(AppNotFound):
            await uow.apps.save(FOREIGN, found)


async def test_apps_are_found_by_state_connector_and_name(
    database: Database, clock: FrozenClock
) -> None:
    store = SqlAppStore(database)
    async with store.transaction() as uow:
        for number, (name, connectors) in enumerate(
            [("Shop", (CONNECTOR_API, CONNECTOR_WEB_SDK)), ("50% off", (10240,)), ("Draft", ())], 1
        ):
            made = app(clock, number, name)
            if connectors:
                made.publish(
                    AppVersionId(number),
                    label="",
                    note="",
                    connector_ids=connectors,
                    actor_id=USER,
                    rules=RULES,
                    now=clock.now(),
                )
            await uow.apps.save(SCOPE, made)
        gone = app(clock, 4, "Gone")
        gone.delete(actor_id=USER, now=clock.now())
        await uow.apps.save(SCOPE, gone)
        await uow.commit()

    async def names(**query: object) -> list[str]:
        async with store.snapshot() as uow:
            found, total = await uow.apps.search(SCOPE, AppQuery(limit=10, **query))  # type: ignore[arg-type]
        assert total == len(found)
        return [each.name for each in found]

    assert await names() == ["Draft", "50% off", "Shop"]
    assert await names(is_published=True) == ["50% off", "Shop"]
    assert await names(is_published=False) == ["Draft"]
    assert await names(connector_id=CONNECTOR_API) == ["Shop"]
    assert await names(text="% OFF") == ["50% off"]
    async with store.snapshot() as uow:
        assert await uow.apps.search(FOREIGN, AppQuery(limit=10)) == ([], 0)
