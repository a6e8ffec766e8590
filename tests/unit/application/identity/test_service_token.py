"""Tokens of workspaces: rights, rotation, expiry, and what outlives whom."""

from dataclasses import dataclass
from datetime import timedelta

import pytest

from application.identity.dto import CreateSpace, CreateToken, IssueToken, NewMember
from application.identity.service_token import (
    ChangeServiceToken,
    CreateServiceToken,
    NewServiceToken,
    ServiceTokenService,
)
from domain.identity.error import InvalidIdentity, TokenExceedsOwner, TokenNotFound
from domain.identity.service_token import MAX_OVERLAP
from domain.identity.value import RateClass, TokenKind, new_token_text
from domain.shared.access import Permission, Principal, Role
from domain.shared.error import AppError, Forbidden, NotFound, RateLimited, Unauthenticated
from domain.shared.id_generator import IdGenerator
from domain.shared.secret import Secret
from tests.support.clock import FrozenClock
from tests.support.identity.service import LIMITS, Identity, KnownAgents, add_user

HERE = "192.0.2.1"


@dataclass
class World:
    """A team with a workspace, its owner, and service tokens."""

    identity: Identity
    services: ServiceTokenService
    owner: Principal
    space_id: int

    async def make(self, *permissions: Permission, **more: object) -> NewServiceToken:
        command = CreateServiceToken(
            space_id=self.space_id,
            name="Nightly",
            permissions=permissions or (Permission.CHAT,),
            **more,  # type: ignore[arg-type]
        )
        return await self.services.create(self.owner, command)

    async def use(self, text: Secret, *, peer: str = HERE) -> Principal:
        return await self.identity.auth.authenticate(f"Bearer {text.reveal()}", peer=peer)


@pytest.fixture
async def world(identity: Identity, ids: IdGenerator, clock: FrozenClock) -> World:
    space = await identity.spaces.create(await identity.principal(), CreateSpace(name="Team"))
    services = ServiceTokenService(
        store=identity.store,
        cache=identity.auth._cache,
        agents=KnownAgents(),
        ids=ids,
        clock=clock,
        limits=LIMITS,
    )
    return World(identity, services, await identity.principal(), space.id)


async def test_a_service_token_acts_for_its_workspace_alone(world: World) -> None:
    made = await world.make(Permission.CHAT, Permission.SPACE_READ)
    principal = await world.use(made.text)

    assert made.text.reveal().startswith("czs_")
    assert principal.is_service
    assert principal.roles == {world.space_id: Role.ADMIN}
    assert not principal.administers_deployment
    assert principal.may(Permission.CHAT, made.token.space_id)  # type: ignore[arg-type]
    for permission in set(Permission) - {Permission.CHAT, Permission.SPACE_READ}:
        with pytest.raises(Forbidden):
            principal.require(permission, made.token.space_id)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        principal.require(Permission.CHAT, world.owner.personal_space_id)
    me = await world.identity.users.me(principal)
    assert (me.id, me.name, me.personal_space_id) == (made.token.id, "Nightly", world.space_id)
    listed = await world.identity.spaces.page(principal)
    assert [each.id for each in listed.items] == [world.space_id]


async def test_a_service_token_outlives_its_maker(world: World, clock: FrozenClock) -> None:
    user_id, text = await add_user(world.identity, "anna")
    await world.identity.members.add(
        world.owner, world.space_id, [NewMember(user_id=user_id, role=Role.ADMIN)]
    )
    anna = await world.identity.principal(text)
    made = await world.services.create(
        anna,
        CreateServiceToken(
            space_id=world.space_id, name="Hers", permissions=[Permission.CHAT], expires_at=None
        ),
    )
    await world.identity.members.remove(world.owner, world.space_id, [user_id])
    await world.identity.users.set_disabled(world.owner, user_id, disabled=True)
    clock.advance(seconds=LIMITS.auth_cache_s)

    assert (await world.use(made.text)).may(Permission.CHAT, world.space_id)  # type: ignore[arg-type]
    with pytest.raises(Unauthenticated):
        await world.identity.principal(text)


@pytest.mark.parametrize("role", list(Role))
async def test_who_may_administer_the_workspace_makes_service_tokens(
    world: World, role: Role
) -> None:
    user_id, text = await add_user(world.identity, "anna")
    await world.identity.members.add(
        world.owner, world.space_id, [NewMember(user_id=user_id, role=role)]
    )
    world.owner = await world.identity.principal(text)

    if role in {Role.OWNER, Role.ADMIN}:
        await world.make()
    else:
        with pytest.raises(Forbidden):
            await world.make()


async def test_nothing_that_a_token_makes_is_larger_or_lasts_longer(
    world: World, clock: FrozenClock
) -> None:
    maker = await world.make(
        Permission.SPACE_WRITE,
        Permission.CHAT,
        networks=["192.0.2.0/24"],
        expires_at=clock.now() + timedelta(days=10),
    )
    world.owner = await world.use(maker.text)
    soon = clock.now() + timedelta(days=1)

    small = await world.make(Permission.CHAT, networks=["192.0.2.128/25"], expires_at=soon)
    assert {each.id for each in (await world.services.list(world.owner, world.space_id)).items} == {
        maker.token.id,
        small.token.id,
    }
    for refused in (
        {"permissions": [Permission.DATASET_READ], "networks": ["192.0.2.1"], "expires_at": soon},
        {"permissions": [Permission.CHAT], "networks": None, "expires_at": soon},
        {"permissions": [Permission.CHAT], "networks": ["192.0.0.0/16"], "expires_at": soon},
        {"permissions": [Permission.CHAT], "networks": ["::/0"], "expires_at": soon},
        {"permissions": [Permission.CHAT], "networks": ["192.0.2.1"], "expires_at": None},
    ):
        command = CreateServiceToken(space_id=world.space_id, name="Large", **refused)
        with pytest.raises(TokenExceedsOwner):
            await world.services.create(world.owner, command)
        change = ChangeServiceToken(**refused)
        with pytest.raises(TokenExceedsOwner):
            await world.services.change(world.owner, small.token.id, change)


async def test_tokens_larger_than_the_caller_are_not_found(world: World) -> None:
    large = await world.make(Permission.DATASET_WRITE)
    limited = await world.make(Permission.SPACE_WRITE)
    caller = await world.use(limited.text)

    assert [each.id for each in (await world.services.list(caller, world.space_id)).items] == [
        limited.token.id
    ]
    for attempt in (
        world.services.get(caller, large.token.id),
        world.services.change(caller, large.token.id, ChangeServiceToken(name="Mine")),
        world.services.rotate(caller, large.token.id, overlap_s=0),
        world.services.revoke(caller, large.token.id),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert (await world.use(large.text)).is_service


async def test_a_rotated_token_goes_on_for_the_overlap(world: World, clock: FrozenClock) -> None:
    first = await world.make(expires_at=clock.now() + timedelta(days=30))
    await world.use(first.text)
    clock.advance(days=20)

    second = await world.services.rotate(world.owner, first.token.id, overlap_s=600)

    assert second.token.id == first.token.id
    assert second.token.expires_at == clock.now() + timedelta(days=30), "as long as the first had"
    assert (await world.use(first.text)).expires_at == clock.now() + timedelta(seconds=600)
    assert (await world.use(second.text)).user_id == first.token.id, "the same service"
    clock.advance(seconds=600)
    with pytest.raises(Unauthenticated):
        await world.use(first.text)
    assert (await world.use(second.text)).is_service


async def test_without_overlap_the_former_text_ends_at_once(world: World) -> None:
    first = await world.make()
    await world.use(first.text)
    second = await world.services.rotate(world.owner, first.token.id, overlap_s=0)

    with pytest.raises(Unauthenticated):
        await world.use(first.text)
    third = await world.services.rotate(world.owner, first.token.id, overlap_s=60)
    fourth = await world.services.rotate(world.owner, first.token.id, overlap_s=60)
    with pytest.raises(Unauthenticated):
        await world.use(second.text)
    for text in (third.text, fourth.text):
        assert (await world.use(text)).is_service


@pytest.mark.parametrize("overlap_s", [-1, int(MAX_OVERLAP.total_seconds()) + 1])
async def test_an_overlap_is_bounded(world: World, overlap_s: int) -> None:
    made = await world.make()

    with pytest.raises(InvalidIdentity):
        await world.services.rotate(world.owner, made.token.id, overlap_s=overlap_s)


async def test_a_former_text_does_not_outlive_the_expiry(world: World, clock: FrozenClock) -> None:
    first = await world.make(expires_at=clock.now() + timedelta(seconds=60))
    await world.services.rotate(world.owner, first.token.id, overlap_s=3600)
    clock.advance(seconds=60)

    with pytest.raises(Unauthenticated):
        await world.use(first.text)


@pytest.mark.parametrize(
    ("networks", "admitted", "refused"),
    [
        (["192.0.2.0/24"], ["192.0.2.1", "::ffff:192.0.2.9"], ["198.51.100.1", "2001:db8::1", ""]),
        (["2001:db8::/32"], ["2001:db8:1::1", "2001:db8::1%eth0"], ["192.0.2.1", "unix"]),
        (["192.0.2.1", "198.51.100.0/30"], ["192.0.2.1", "198.51.100.3"], ["192.0.2.2"]),
    ],
)
async def test_a_token_is_good_from_its_networks(
    world: World, networks: list[str], admitted: list[str], refused: list[str]
) -> None:
    made = await world.make(networks=networks)

    for peer in admitted * 2:
        assert (await world.use(made.text, peer=peer)).is_service
    for peer in refused:
        with pytest.raises(Forbidden):
            await world.use(made.text, peer=peer)


@pytest.mark.parametrize(
    "wrong",
    [
        {"permissions": []},
        {"permissions": [Permission.ADMIN]},
        {"agent_ids": []},
        {"networks": []},
        {"networks": ["example.org"]},
        {"networks": ["192.0.2.0/33"]},
        {"networks": [f"192.0.2.{number}" for number in range(33)]},
        {"expires_at": "past"},
        {"expires_at": "beyond"},
        {"name": ""},
        {"agent_ids": [KnownAgents.missing]},
    ],
)
async def test_what_means_nothing_is_refused(
    world: World, clock: FrozenClock, wrong: dict[str, object]
) -> None:
    instants = {
        "past": clock.now(),
        "beyond": clock.now() + timedelta(days=LIMITS.token_max_days, seconds=1),
    }
    given = {n: instants.get(v, v) if isinstance(v, str) else v for n, v in wrong.items()}
    values = {"space_id": world.space_id, "name": "x", "permissions": [Permission.CHAT]} | given
    made = await world.make()

    with pytest.raises((InvalidIdentity, NotFound)):
        await world.services.create(world.owner, CreateServiceToken(**values))  # type: ignore[arg-type]
    with pytest.raises((InvalidIdentity, NotFound)):
        await world.services.change(world.owner, made.token.id, ChangeServiceToken(**given))  # type: ignore[arg-type]


async def test_changes_hold_at_once(world: World) -> None:
    made = await world.make(Permission.CHAT, Permission.FILE)
    await world.use(made.text)

    change = ChangeServiceToken(name="Renamed", permissions=[Permission.CHAT])
    changed = await world.services.change(world.owner, made.token.id, change)

    assert (changed.name, changed.permissions) == ("Renamed", (Permission.CHAT,))
    assert changed.expires_at == made.token.expires_at
    with pytest.raises(Forbidden):
        (await world.use(made.text)).require_token(Permission.FILE)


async def test_a_revoked_token_is_gone_with_all_that_it_made(world: World) -> None:
    made = await world.make()
    service = await world.use(made.text)
    short = await world.identity.tokens.issue(service, IssueToken(agent_ids=frozenset({1})))
    visitor = await world.use(short.text)
    assert visitor.is_service
    assert visitor.grant.is_browser
    assert visitor.roles == service.roles

    await world.services.revoke(world.owner, made.token.id)

    for text in (made.text, short.text):
        with pytest.raises(Unauthenticated):
            await world.use(text)
    with pytest.raises(TokenNotFound):
        await world.identity.tokens.issue(service, IssueToken(agent_ids=frozenset({1})))
    with pytest.raises(NotFound):
        await world.services.get(world.owner, made.token.id)


async def test_what_a_narrowed_token_made_ends(world: World) -> None:
    made = await world.make(Permission.CHAT, Permission.FILE)
    short = await world.identity.tokens.issue(
        await world.use(made.text), IssueToken(agent_ids=frozenset({1}))
    )
    await world.use(short.text)

    await world.services.change(
        world.owner, made.token.id, ChangeServiceToken(permissions=[Permission.CHAT])
    )

    with pytest.raises(Unauthenticated):
        await world.use(short.text)


async def test_a_service_manages_no_tokens_of_people_and_opens_no_workspace(world: World) -> None:
    every = [each for each in Permission if each is not Permission.ADMIN]
    service = await world.use((await world.make(*every)).text)

    for attempt in (
        world.identity.tokens.create(service, CreateToken(name="x")),
        world.identity.spaces.create(service, CreateSpace(name="x")),
        world.identity.spaces.delete(service, world.space_id),
        world.identity.users.page(service),
        world.identity.members.add(
            service,
            world.space_id,
            [NewMember(user_id=world.owner.user_id, role=Role.OWNER)],
        ),
    ):
        with pytest.raises(AppError) as raised:
            await attempt
        assert isinstance(raised.value, Forbidden)


async def test_each_token_is_warned_of_once_a_week_before(world: World, clock: FrozenClock) -> None:
    await world.make(expires_at=None)
    soon = await world.make(expires_at=clock.now() + timedelta(days=8))
    gone = await world.make(expires_at=clock.now() + timedelta(days=8))
    await world.services.revoke(world.owner, gone.token.id)

    assert await world.services.warn() == 0
    clock.advance(days=1, seconds=1)
    assert await world.services.warn() == 1
    assert await world.services.warn() == 0
    await world.services.rotate(world.owner, soon.token.id, overlap_s=0)
    clock.advance(days=1, seconds=1)
    assert await world.services.warn() == 1, "the next text expires, too"


async def test_a_workspace_that_is_gone_has_no_tokens(world: World, clock: FrozenClock) -> None:
    made = await world.make()
    await world.identity.spaces.delete(world.owner, world.space_id)
    clock.advance(seconds=LIMITS.auth_cache_s)

    with pytest.raises(Unauthenticated):
        await world.use(made.text)


async def test_only_service_tokens_are_looked_up_as_such(world: World) -> None:
    made = await world.make()
    reads = world.identity.store.snapshots
    for kind in TokenKind:
        prefix = new_token_text(kind).reveal().partition("_")[0]
        text = f"{prefix}_{made.text.reveal().partition('_')[2]}"
        if text != made.text.reveal():
            with pytest.raises(Unauthenticated):
                await world.use(Secret(text), peer=f"198.51.100.{len(prefix)}")
    assert world.identity.store.snapshots == reads, "their checksums are wrong"


async def test_a_rate_class_counts_for_a_token_and_for_what_it_makes(
    world: World, clock: FrozenClock
) -> None:
    made = await world.make(Permission.CHAT, Permission.FILE, rate_class=RateClass.LOW)
    service = await world.use(made.text)
    short = await world.identity.tokens.issue(service, IssueToken(agent_ids=frozenset({1})))
    for _ in range(LIMITS.rate_class_low_per_min - 1):
        await world.use(short.text)

    for text in (made.text, short.text):
        with pytest.raises(RateLimited) as refused:
            await world.use(text)
        assert refused.value.context["limit"] == "rate_class_low_per_min"

    changed = await world.services.change(
        world.owner, made.token.id, ChangeServiceToken(rate_class=RateClass.DEFAULT)
    )
    assert changed.rate_class is RateClass.DEFAULT
    await world.use(made.text)
