"""Access that users gave to plugins: renewed in time, ended in time, on every database."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import pytest

from domain.plugin.entity import Plugin
from domain.plugin.error import GrantNeeded
from domain.plugin.http.credential import Credentials
from domain.plugin.http.request import Draft
from domain.plugin.rules import PluginRules
from domain.plugin.value import SECRET_CLIENT, Auth, AuthType, Manifest, PluginId
from domain.shared.access import TenantScope
from domain.shared.id_generator import IdGenerator
from domain.shared.ids import SpaceId, UserId
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.plugin.repository import SqlPluginStore
from infra.impl.secret_box.aes_gcm import AesGcmSecretBox
from tests.contract.test_egress import egress
from tests.support.clock import FrozenClock
from tests.support.web.harbour import PluginService

SCOPE = TenantScope(UserId(7), frozenset({SpaceId(2)}))
HOLDER = "account:7"


@dataclass
class World:
    """A plugin whose user gave access, and the provider of the tokens."""

    plugin: Plugin
    credentials: Credentials
    store: SqlPluginStore
    service: PluginService
    clock: FrozenClock

    async def token(self) -> str:
        """Return the token that a call would carry."""
        draft = Draft(method="GET", url="https://service.example")
        await self.credentials.apply(
            draft,
            self.plugin,
            self.plugin.manifest.auth,
            scope=SCOPE,
            end_user_id="",
            hosts=frozenset(),
        )
        return draft.headers["authorization"]

    async def is_stored(self) -> bool:
        async with self.store.snapshot() as uow:
            return await uow.grants.find(SCOPE, self.plugin.id, HOLDER) is not None


@pytest.fixture
async def world(
    database: Database, clock: FrozenClock, ids: IdGenerator
) -> AsyncGenerator[World, None]:
    store = SqlPluginStore(database, AesGcmSecretBox(bytes(range(32))))
    rules = PluginRules(Limits())
    async with PluginService().listening() as service, egress(service.port) as client:
        plugin = Plugin.create(
            PluginId(ids.next_id()),
            space_id=SpaceId(2),
            creator_id=UserId(7),
            name="Harbour",
            description="",
            icon_file_id=None,
            app_id=0,
            manifest=Manifest(server_url="https://service.example"),
            rules=rules,
            now=clock.now(),
        )
        plugin.authenticate(
            Auth(
                type=AuthType.AUTHORIZATION_CODE,
                client_id="harbour",
                client_url=f"http://local.test:{service.port}/token",
                authorization_url="https://provider.example/authorize",
            ),
            {SECRET_CLIENT: Secret("geheim-client")},
            rules=rules,
            actor_id=UserId(7),
            now=clock.now(),
        )
        async with store.transaction() as uow:
            await uow.plugins.save(SCOPE, plugin)
            await uow.commit()
        credentials = Credentials(
            store=store,
            egress=client,
            clock=clock,
            ids=ids,
            redirect_url="https://coterie.example/oauth/callback",
        )
        url = await credentials.begin(plugin, scope=SCOPE, holder=HOLDER)
        state = parse_qs(urlsplit(url).query)["state"][0]
        await credentials.complete(state=state, code="abc")
        yield World(plugin, credentials, store, service, clock)


async def test_tokens_are_renewed_when_half_of_their_life_is_over(world: World) -> None:
    first = await world.token()
    world.clock.advance(minutes=29)
    assert await world.token() == first
    world.clock.advance(minutes=2)

    second = await world.token()

    assert second != first
    form = parse_qs(world.service.seen[-1].body.decode())
    assert form["grant_type"] == ["refresh_token"]
    assert form["refresh_token"] == ["geheim-refresh"]
    assert await world.token() == second, "once is enough"


async def test_a_provider_that_fails_costs_nothing_while_the_token_lives(world: World) -> None:
    first = await world.token()
    world.service.failures = 2
    world.clock.advance(minutes=31)
    assert await world.token() == first
    assert await world.token() == first
    assert await world.token() != first, "the provider works again"


async def test_five_failures_end_the_access(world: World) -> None:
    world.service.failures = 5
    world.clock.advance(minutes=31)
    for _ in range(4):
        await world.token()
    with pytest.raises(GrantNeeded) as raised:
        await world.token()
    assert raised.value.authorize_url.startswith("https://provider.example/authorize?")
    assert not await world.is_stored()


async def test_access_that_nobody_uses_ends_after_fifteen_days(world: World) -> None:
    world.clock.advance(days=14, hours=23)
    assert await world.token()
    world.clock.advance(days=15, minutes=1)
    asked = len(world.service.seen)

    with pytest.raises(GrantNeeded):
        await world.token()

    assert len(world.service.seen) == asked, "it is not renewed either"
    assert not await world.is_stored()
