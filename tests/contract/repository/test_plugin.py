"""What the store of plugins promises, on every database."""

from datetime import timedelta

import pytest

from domain.plugin.entity import FrozenTool, Plugin, PluginVersion, Tool
from domain.plugin.error import PluginNotFound, PluginNotPublished, PluginToolNotFound
from domain.plugin.grant import Grant, PendingGrant, Tokens, digest_of
from domain.plugin.repository import PluginQuery
from domain.plugin.rules import PluginRules
from domain.plugin.value import (
    SECRET_TOKEN,
    Auth,
    AuthType,
    CommonParameter,
    GrantId,
    Location,
    Manifest,
    Parameter,
    PluginId,
    PluginVersionId,
    ToolDefinition,
    ToolId,
)
from domain.shared.access import TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.plugin.repository import SqlPluginStore
from infra.impl.repository.sql.plugin.table import grants, plugins
from infra.impl.secret_box.aes_gcm import AesGcmSecretBox
from tests.support.clock import FrozenClock

RULES = PluginRules(Limits())
USER = UserId(7)
SPACE, OTHER = SpaceId(2), SpaceId(3)
SCOPE = TenantScope(USER, frozenset({SPACE}))
FOREIGN = TenantScope(UserId(8), frozenset({OTHER}))
TOOL = ToolDefinition(
    name="find",
    method="GET",
    path="/things/{id}",
    parameters=(Parameter(name="id", location=Location.PATH, is_required=True, default=[1, "ä"]),),
)


@pytest.fixture
def store(database: Database) -> SqlPluginStore:
    return SqlPluginStore(database, AesGcmSecretBox(bytes(range(32))))


def make(clock: FrozenClock, number: int = 1, *, space: SpaceId = SPACE) -> Plugin:
    plugin = Plugin.create(
        PluginId(number),
        space_id=space,
        creator_id=USER,
        name=f"Plugin {number}",
        description="",
        icon_file_id=None,
        app_id=0,
        manifest=Manifest(
            server_url="https://api.example",
            common_parameters=(
                CommonParameter(
                    name="k", location=Location.HEADER, value="geheim-common", is_secret=True
                ),
            ),
        ),
        rules=RULES,
        now=clock.now(),
    )
    plugin.authenticate(
        Auth(type=AuthType.SERVICE, key="X-Key"),
        {SECRET_TOKEN: Secret("geheim-token")},
        rules=RULES,
        actor_id=USER,
        now=clock.now(),
    )
    return plugin


def tool(clock: FrozenClock, number: int = 10, *, plugin: int = 1) -> Tool:
    return Tool(
        id=ToolId(number),
        plugin_id=PluginId(plugin),
        space_id=SPACE,
        definition=TOOL,
        created_at=clock.now(),
        updated_at=clock.now(),
    )


async def save(store: SqlPluginStore, *found: Plugin, tools: tuple[Tool, ...] = ()) -> None:
    async with store.transaction() as uow:
        for each in found:
            await uow.plugins.save(TenantScope(USER, frozenset({each.space_id})), each)
        for one in tools:
            await uow.tools.save(SCOPE, one)
        await uow.commit()


async def test_plugins_come_back_with_their_secrets(
    store: SqlPluginStore, database: Database, clock: FrozenClock
) -> None:
    await save(store, make(clock), tools=(tool(clock),))
    async with store.snapshot() as uow:
        found = await uow.plugins.get(SCOPE, PluginId(1))
        assert (await uow.tools.get(SCOPE, found.id, ToolId(10))).definition == TOOL
        assert await uow.plugins.count_tools(SCOPE, [found.id]) == {1: 1}
    assert found.secrets == {
        "common:header:k": Secret("geheim-common"),
        SECRET_TOKEN: Secret("geheim-token"),
    }
    assert found.manifest.common_parameters[0].value == ""
    async with database.read() as connection:
        row = (await connection.execute(plugins.select())).one()
    assert b"geheim" not in row.sealed_secrets
    assert "geheim" not in repr(row)


async def test_other_spaces_see_nothing(store: SqlPluginStore, clock: FrozenClock) -> None:
    await save(store, make(clock), tools=(tool(clock),))
    async with store.transaction() as uow:
        with pytest.raises(PluginNotFound):
            await uow.plugins.get(FOREIGN, PluginId(1))
        with pytest.raises(PluginToolNotFound):
            await uow.tools.get(FOREIGN, PluginId(1), ToolId(10))
        with pytest.raises(PluginNotFound):
            await uow.versions.get(FOREIGN, PluginId(1), "")
        with pytest.raises(PluginNotFound):
            await uow.plugins.save(FOREIGN, make(clock, 5))
        assert await uow.tools.of_plugin(FOREIGN, PluginId(1)) == []
        assert await uow.plugins.search(FOREIGN, PluginQuery(limit=10)) == ([], 0)


async def test_pages_and_stale_writers(store: SqlPluginStore, clock: FrozenClock) -> None:
    await save(store, *(make(clock, number) for number in (1, 2, 3)))
    async with store.snapshot() as uow:
        first, total = await uow.plugins.search(SCOPE, PluginQuery(limit=2))
        rest, _ = await uow.plugins.search(SCOPE, PluginQuery(limit=2, after_id=first[-1].id))
        named, _ = await uow.plugins.search(SCOPE, PluginQuery(limit=2, text="GIN 2"))
        published, _ = await uow.plugins.search(SCOPE, PluginQuery(limit=9, is_published=True))
    assert ([each.id for each in first], total) == ([3, 2], 3)
    assert ([each.id for each in rest], [each.id for each in named]) == ([1], [2])
    assert not published
    await save(store, first[0])
    first[0].revision -= 1
    with pytest.raises(StaleRevision):
        await save(store, first[0])


async def test_versions_keep_their_tools(store: SqlPluginStore, clock: FrozenClock) -> None:
    plugin, kept = make(clock), tool(clock)
    await save(store, plugin, tools=(kept,))
    async with store.transaction() as uow:
        with pytest.raises(PluginNotPublished):
            await uow.versions.get(SCOPE, plugin.id, "")
        version = plugin.publish(
            PluginVersionId(20),
            [kept],
            label="",
            note="first",
            is_forced=True,
            actor_id=USER,
            rules=RULES,
            now=clock.now(),
        )
        await uow.versions.add(SCOPE, version, [FrozenTool(id=kept.id, definition=TOOL)])
        await uow.plugins.save(SCOPE, plugin)
        await uow.tools.remove(SCOPE, kept)
        await uow.commit()
    async with store.snapshot() as uow:
        found: PluginVersion = await uow.versions.get(SCOPE, plugin.id, "")
        assert found == version
        assert (await uow.versions.tool(SCOPE, found, kept.id)).definition == TOOL
        assert len(await uow.versions.tools(SCOPE, found)) == 1
        assert await uow.versions.page(SCOPE, plugin.id, offset=0, limit=5) == ([version], 1)
        with pytest.raises(PluginNotPublished):
            await uow.versions.get(SCOPE, plugin.id, "v9.9.9")
        with pytest.raises(PluginToolNotFound):
            await uow.versions.tool(FOREIGN, found, kept.id)
        with pytest.raises(PluginToolNotFound):
            await uow.tools.get(SCOPE, plugin.id, kept.id)


async def test_grants_are_sealed_and_one_per_holder(
    store: SqlPluginStore, database: Database, clock: FrozenClock
) -> None:
    await save(store, make(clock))

    def grant(number: int, text: str) -> Grant:
        tokens = Tokens(access=Secret(text), refresh=Secret("geheim-refresh"), lifetime_s=60)
        return Grant.give(
            GrantId(number),
            tokens,
            plugin_id=PluginId(1),
            space_id=SPACE,
            holder="user:a",
            now=clock.now(),
        )

    for number, text in ((1, "geheim-one"), (2, "geheim-two")):
        async with store.transaction() as uow:
            await uow.grants.save(SCOPE, grant(number, text))
            await uow.commit()
    async with store.snapshot() as uow:
        found = await uow.grants.find(SCOPE, PluginId(1), "user:a")
        assert found is not None
        assert (found.access, found.refresh) == (Secret("geheim-two"), Secret("geheim-refresh"))
        assert await uow.grants.find(FOREIGN, PluginId(1), "user:a") is None
        assert await uow.grants.find(SCOPE, PluginId(1), "user:b") is None
    async with database.read() as connection:
        assert b"geheim" not in (await connection.execute(grants.select())).one().sealed_tokens
    async with store.transaction() as uow:
        await uow.grants.clear(SCOPE, PluginId(1))
        await uow.commit()
    async with store.snapshot() as uow:
        assert await uow.grants.find(SCOPE, PluginId(1), "user:a") is None


async def test_a_state_is_good_once_and_not_for_long(
    store: SqlPluginStore, clock: FrozenClock
) -> None:
    await save(store, make(clock))
    for state, minutes in (("good", 10), ("late", -1)):
        waiting = PendingGrant(
            digest=digest_of(state),
            plugin_id=PluginId(1),
            space_id=SPACE,
            holder="",
            verifier=Secret("v"),
            expires_at=clock.now() + timedelta(minutes=minutes),
        )
        async with store.transaction() as uow:
            await uow.grants.expect(SCOPE, waiting)
            await uow.commit()
    taken = []
    for state in ("late", "unknown", "good", "good"):
        async with store.transaction() as uow:
            found = await uow.pending.take(digest_of(state), clock.now())
            taken.append(None if found is None else (found[0].verifier, found[1]))
            await uow.commit()
    assert taken == [None, None, (Secret("v"), USER), None]


async def test_hosts_belong_to_a_space(store: SqlPluginStore, clock: FrozenClock) -> None:
    for names in (["a.example"], ["b.example", "c.example"]):
        async with store.transaction() as uow:
            await uow.hosts.put(SCOPE, SPACE, names, clock.now())
            await uow.commit()
    async with store.transaction() as uow:
        assert await uow.hosts.get(SCOPE, SPACE) == ("b.example", "c.example")
        assert await uow.hosts.get(FOREIGN, SPACE) == ()
        with pytest.raises(PluginNotFound):
            await uow.hosts.put(FOREIGN, SPACE, [], clock.now())
