"""From tokens to principals."""

import asyncio
from datetime import timedelta

import msgspec
import pytest

from application.identity.authentication import AuthService
from application.identity.bootstrap import BootstrapService
from application.identity.cache import CachedPrincipal, PrincipalCache, peer_network
from application.identity.dto import (
    CreateToken,
    IssueToken,
)
from application.identity.following import RightsChange, rights_change
from application.identity.user import UserService
from application.shared.rate import RateLimiter
from domain.identity.error import (
    LastAdministrator,
    TokenNotFound,
)
from domain.identity.value import TokenKind, new_token_text
from domain.shared.access import Permission, Role
from domain.shared.error import AppError, NotFound, RateLimited, Unauthenticated
from domain.shared.id_generator import IdGenerator
from domain.shared.limits import Limits
from domain.shared.secret import Secret
from infra.contract.messaging.event_bus import Delivery
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.identity.repository import SqlIdentityStore
from tests.support.clock import FrozenClock
from tests.support.identity.service import FIRST, LIMITS, Identity, add_user


async def test_the_first_start_makes_an_administrator_with_the_given_token(
    identity: Identity,
) -> None:
    principal = await identity.principal()

    assert principal.administers_deployment
    assert principal.roles == {principal.personal_space_id: Role.OWNER}
    me = await identity.users.me(principal)
    assert (me.name, me.nickname) == ("admin", "Admin")


async def test_later_starts_change_nothing(identity: Identity) -> None:
    again = await identity.bootstrap.ensure(Secret("pat_another_token_given"))

    assert (again.created, again.token) == (False, None)
    with pytest.raises(Unauthenticated):
        await identity.principal(Secret("pat_another_token_given"))


async def test_without_a_given_token_one_is_drawn(
    sqlite_database: Database, ids: IdGenerator, clock: FrozenClock
) -> None:
    store = SqlIdentityStore(sqlite_database)
    cache = PrincipalCache(limits=LIMITS)
    users = UserService(store=store, cache=cache, ids=ids, clock=clock)
    bootstrap = BootstrapService(store=store, users=users)
    with pytest.raises(NotFound):
        await bootstrap.operator()

    result = await bootstrap.ensure()

    assert result.created
    assert result.token is not None
    assert len(result.token.reveal()) == 53
    operator = await bootstrap.operator()
    assert operator.administers_deployment
    operator.require(Permission.SPACE_WRITE, operator.personal_space_id)


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Basic pat_for_automation_2026",
        "Bearer pat_for_automation_2027",
        "Bearer pat_for_automation_2026 x",
        "Bearer pat_ünicode_token_here",
        "pat_for_automation_2026",
    ],
)
async def test_everything_but_a_valid_token_gets_the_same_answer(
    identity: Identity, header: str | None
) -> None:
    with pytest.raises(Unauthenticated) as raised:
        await identity.auth.authenticate(header, peer="192.0.2.1")

    assert raised.value.message == "The access token is missing, unknown, expired or revoked."


async def test_a_wrong_checksum_is_refused_without_the_database(identity: Identity) -> None:
    reads = identity.store.snapshots
    for number, kind in enumerate(TokenKind):
        text = new_token_text(kind).reveal()
        mistyped = text[:-1] + ("0" if text[-1] != "0" else "1")
        for wrong in (mistyped, text[:-1], f"{text}0", mistyped.swapcase()):
            if kind is TokenKind.PERSONAL and len(wrong) != len(text):
                continue  # one that an operator could have chosen
            with pytest.raises(Unauthenticated):
                await identity.auth.authenticate(f"Bearer {wrong}", peer=f"192.0.2.{number}")

    assert identity.store.snapshots == reads


async def test_a_given_token_that_looks_drawn_stays_valid(
    sqlite_database: Database, ids: IdGenerator, clock: FrozenClock
) -> None:
    given = Secret("pat_" + "b" * 49)
    store, cache = SqlIdentityStore(sqlite_database), PrincipalCache(limits=LIMITS)
    users = UserService(store=store, cache=cache, ids=ids, clock=clock)
    for _ in range(2):  # the first start, and a later one
        auth = AuthService(store=store, cache=cache, clock=clock, limits=LIMITS)
        await auth.start()
        await BootstrapService(store=store, users=users).ensure(given)
        principal = await auth.authenticate(f"Bearer {given.reveal()}")
        assert principal.administers_deployment
        with pytest.raises(Unauthenticated):
            await auth.authenticate("Bearer pat_" + "c" * 49)
        await auth.aclose()
        cache.forget_all()


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
async def test_the_scheme_is_case_insensitive(identity: Identity, scheme: str) -> None:
    principal = await identity.auth.authenticate(f"{scheme}  {FIRST.reveal()} ")

    assert principal.administers_deployment


async def test_a_token_is_read_once_while_it_is_remembered(
    identity: Identity, clock: FrozenClock
) -> None:
    before = identity.store.snapshots
    async with asyncio.TaskGroup() as group:
        for _ in range(50):
            group.create_task(identity.principal())
    assert identity.store.snapshots == before + 1, "one for all requests"

    clock.advance(seconds=LIMITS.auth_cache_s)
    await identity.principal()
    assert identity.store.snapshots == before + 2


async def test_a_token_that_expires_stops_at_once_even_if_remembered(
    identity: Identity, clock: FrozenClock
) -> None:
    made = await identity.tokens.create(
        await identity.principal(),
        CreateToken(name="Brief", expires_at=clock.now() + timedelta(seconds=10)),
    )
    await identity.principal(made.text)

    clock.advance(seconds=10)
    with pytest.raises(Unauthenticated):
        await identity.principal(made.text)


async def test_a_revoked_token_stops_at_once(identity: Identity) -> None:
    admin = await identity.principal()
    made = await identity.tokens.create(admin, CreateToken(name="Laptop"))
    await identity.principal(made.text)

    await identity.tokens.revoke(admin, made.token.id)

    with pytest.raises(Unauthenticated):
        await identity.principal(made.text)
    with pytest.raises(TokenNotFound):
        await identity.tokens.get(admin, made.token.id)
    assert [t.name for t in (await identity.tokens.page(admin)).items] == ["First token"]


async def test_a_reading_that_began_before_a_revocation_is_not_remembered(
    identity: Identity, clock: FrozenClock
) -> None:
    principal = await identity.principal()
    cache = PrincipalCache(limits=LIMITS)
    before = cache.generation
    cache.forget_token(principal.token_id)

    entry = CachedPrincipal(principal, None, None)
    cache.keep(b"d", entry, now=clock.now(), generation=before)

    assert cache.get(b"d", now=clock.now()) is None


async def test_a_disabled_account_is_locked_out_and_can_come_back(
    identity: Identity, clock: FrozenClock
) -> None:
    admin = await identity.principal()
    user_id, token = await add_user(identity, "anna")
    await identity.principal(token)

    await identity.users.set_disabled(admin, user_id, disabled=True)
    with pytest.raises(Unauthenticated):
        await identity.principal(token)

    await identity.users.set_disabled(admin, user_id, disabled=False)
    clock.advance(seconds=LIMITS.auth_unknown_s)
    assert (await identity.principal(token)).user_id == user_id
    with pytest.raises(LastAdministrator):
        await identity.users.set_disabled(admin, admin.user_id, disabled=True)


async def test_too_many_failures_of_a_peer_are_slowed_down_but_valid_tokens_pass(
    identity: Identity, clock: FrozenClock
) -> None:
    async def fail(number: int) -> AppError:
        with pytest.raises((Unauthenticated, RateLimited)) as raised:
            await identity.auth.authenticate(f"Bearer pat_{number:030d}", peer="192.0.2.1")
        assert isinstance(raised.value, AppError)
        return raised.value

    errors = [await fail(number) for number in range(7)]
    assert [type(error) for error in errors] == [Unauthenticated] * 5 + [RateLimited] * 2
    assert errors[-1].retry_after_s == pytest.approx(12.0)

    await identity.principal()
    clock.advance(seconds=12)
    assert isinstance(await fail(8), Unauthenticated)


def test_failures_count_per_address_and_per_ipv6_network() -> None:
    one = {peer_network(peer) for peer in ("2001:db8::1", "2001:db8::ffff%eth0")}
    assert len(one) == 1
    assert peer_network("2001:db8:0:1::1") not in one
    assert peer_network("::ffff:192.0.2.1") == peer_network("192.0.2.1") == "192.0.2.1"
    assert peer_network("unix") == "unix"


def test_memory_of_buckets_is_bounded(clock: FrozenClock) -> None:
    limiter = RateLimiter(per_minute=1, size=100)
    for number in range(1_000):
        limiter.take(number, now=clock.now())

    assert len(limiter._buckets) == 100


async def test_requests_of_a_token_can_be_limited(identity: Identity, clock: FrozenClock) -> None:
    limits = Limits(requests_per_token_per_min=2)
    auth = AuthService(
        store=identity.store, cache=PrincipalCache(limits=limits), clock=clock, limits=limits
    )
    for _ in range(2):
        await auth.authenticate(f"Bearer {FIRST.reveal()}")
    with pytest.raises(RateLimited) as raised:
        await auth.authenticate(f"Bearer {FIRST.reveal()}")
    assert raised.value.retry_after_s == pytest.approx(30.0)

    clock.advance(seconds=30)
    await auth.authenticate(f"Bearer {FIRST.reveal()}")


async def test_requests_of_a_visitor_are_limited_and_those_of_accounts_are_not(
    identity: Identity, clock: FrozenClock
) -> None:
    limits = Limits(requests_per_visitor_per_min=2)
    auth = AuthService(
        store=identity.store, cache=PrincipalCache(limits=limits), clock=clock, limits=limits
    )
    made = await identity.tokens.issue(
        await identity.principal(), IssueToken(agent_ids=frozenset({5}))
    )
    visitor, account = f"Bearer {made.text.reveal()}", f"Bearer {FIRST.reveal()}"

    for header in (visitor, visitor, *(account for _ in range(9))):
        await auth.authenticate(header)
    with pytest.raises(RateLimited) as raised:
        await auth.authenticate(visitor)

    assert raised.value.context["limit"] == "requests_per_visitor_per_min"
    assert raised.value.retry_after_s


async def test_the_last_use_is_written_later_and_at_most_once_a_minute(
    identity: Identity, clock: FrozenClock
) -> None:
    admin = await identity.principal()
    first = clock.now()
    await identity.auth.flush()
    clock.advance(seconds=59)
    await identity.principal()
    await identity.auth.flush()
    assert (await identity.tokens.get(admin, admin.token_id)).last_used_at == first

    clock.advance(seconds=1)
    await identity.principal()
    await identity.auth.flush()
    assert (await identity.tokens.get(admin, admin.token_id)).last_used_at == clock.now()


async def test_events_of_another_process_drop_what_is_remembered(identity: Identity) -> None:
    admin = await identity.principal()
    reads = identity.store.snapshots
    for topic, fields in (
        ("token.revoked", {"aggregate_id": admin.token_id}),
        ("user.disabled", {"aggregate_id": admin.user_id}),
        ("space.deleted", {"aggregate_id": 1}),
        ("membership.removed", {"aggregate_id": 1, "user_id": admin.user_id}),
    ):
        payload = msgspec.json.encode({"type": topic, **fields})
        delivery = Delivery(event_id="e", topic=topic, key="", payload=payload)
        identity.auth.forget(RightsChange.read(rights_change(delivery)))
        await identity.principal()
        reads += 1
        assert identity.store.snapshots == reads, topic
