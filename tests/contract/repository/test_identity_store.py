"""Where identities are kept, on SQLite and PostgreSQL."""

from collections.abc import Callable, Iterable
from datetime import timedelta

import pytest
import sqlalchemy as sa

from domain.identity.audit import AuditEntry, AuditQuery, Verdict, Verifier
from domain.identity.entity import ApiToken, Membership, Space, User
from domain.identity.error import SpaceNotFound, TokenNotFound, UserNameTaken, UserNotFound
from domain.identity.repository import IdentityStore
from domain.identity.service_token import ServiceRights, ServiceToken
from domain.identity.value import SpaceKind, TokenKind, token_digest
from domain.shared.access import Grant, Permission, Role, TenantScope
from domain.shared.error import StaleRevision
from domain.shared.ids import AgentId, SpaceId, TokenId, UserId
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.identity.repository import SqlIdentityStore
from tests.support.clock import FrozenClock

ANNA, BEN = UserId(11), UserId(12)
TEAM, OTHER = SpaceId(21), SpaceId(22)
EVERYTHING = TenantScope(ANNA, frozenset({TEAM, OTHER}))
ANNAS = TenantScope(ANNA, frozenset({TEAM}))
BENS = TenantScope(BEN, frozenset({OTHER}))

_NO_LIMITS = ServiceRights(permissions=frozenset({Permission.CHAT}))

MakeToken = Callable[..., ApiToken]


@pytest.fixture
def store(database: Database) -> IdentityStore:
    return SqlIdentityStore(database)


@pytest.fixture
def make_token(clock: FrozenClock) -> MakeToken:
    def make(number: int, user_id: UserId = ANNA, **changes: object) -> ApiToken:
        values: dict[str, object] = {
            "id": TokenId(number),
            "user_id": user_id,
            "kind": TokenKind.PERSONAL,
            "name": f"Token {number}",
            "text": f"pat_{number:049d}",
            "grant": Grant(),
            "expires_at": None,
            "actor_id": user_id,
            "now": clock.now(),
        }
        return ApiToken.create(**{**values, **changes})  # type: ignore[arg-type]

    return make


def user(number: UserId, name: str, clock: FrozenClock, *, is_admin: bool = False) -> User:
    return User.create(
        id=number,
        name=name,
        personal_space_id=SpaceId(number),
        is_admin=is_admin,
        actor_id=number,
        now=clock.now(),
    )


def space(number: SpaceId, owner: UserId, clock: FrozenClock) -> Space:
    return Space.create(
        id=number,
        kind=SpaceKind.TEAM,
        name=f"Space {number}",
        description="For us\nall",
        owner_id=owner,
        actor_id=owner,
        now=clock.now(),
    )


@pytest.fixture
async def people(store: IdentityStore, clock: FrozenClock) -> None:
    async with store.transaction() as uow:
        await uow.users.save(user(ANNA, "Anna", clock, is_admin=True))
        await uow.users.save(user(BEN, "benno", clock))
        await uow.spaces.save(ANNAS, space(TEAM, ANNA, clock))
        await uow.spaces.save(BENS, space(OTHER, BEN, clock))
        await uow.commit()


async def test_an_account_comes_back_as_it_was_saved(
    store: IdentityStore, people: None, clock: FrozenClock
) -> None:
    async with store.snapshot() as uow:
        anna = await uow.users.get(ANNA)
        assert await uow.users.find_by_name("ANNA") is not None
        assert await uow.users.find_by_name("carl") is None
        assert set(await uow.users.get_many([ANNA, UserId(99)])) == {ANNA}
        assert await uow.users.count_active_admins() == 1
        first = await uow.users.find_first_admin()
        with pytest.raises(UserNotFound):
            await uow.users.get(UserId(99))
    assert first is not None
    assert first.id == ANNA
    assert (anna.name, anna.nickname, anna.is_admin, anna.revision) == ("Anna", "Anna", True, 1)
    assert anna.created_at == clock.now()


async def test_account_names_are_unique_in_any_spelling(
    store: IdentityStore, people: None, clock: FrozenClock
) -> None:
    with pytest.raises(UserNameTaken):
        async with store.transaction() as uow:
            await uow.users.save(user(UserId(13), "ANNA", clock))


async def test_accounts_are_paged_newest_first_and_found_by_part_of_a_name(
    store: IdentityStore, people: None
) -> None:
    async with store.snapshot() as uow:
        newest, total = await uow.users.page(before=None, limit=1, text="")
        rest, _ = await uow.users.page(before=newest[0].id, limit=5, text="")
        found, matches = await uow.users.page(before=None, limit=5, text="ENN")
        wild, _ = await uow.users.page(before=None, limit=5, text="%")
    assert ([u.id for u in newest], total, [u.id for u in rest]) == ([BEN], 2, [ANNA])
    assert ([u.id for u in found], matches, wild) == ([BEN], 1, [])


async def test_a_space_comes_back_with_its_members(
    store: IdentityStore, people: None, clock: FrozenClock
) -> None:
    async with store.transaction() as uow:
        team = await uow.spaces.get(ANNAS, TEAM)
        clock.advance(seconds=1)
        team.add_member(BEN, Role.VIEWER, actor_id=ANNA, now=clock.now())
        await uow.spaces.save(ANNAS, team)
        await uow.commit()

    async with store.snapshot() as uow:
        team = await uow.spaces.get(ANNAS, TEAM)
        members, total = await uow.spaces.list_members(ANNAS, TEAM, offset=1, limit=5)
        spaces, count = await uow.spaces.page(
            TenantScope(BEN, frozenset({TEAM, OTHER})), offset=0, limit=5
        )
    assert team.members == {
        ANNA: Membership(Role.OWNER, clock.now() - timedelta(seconds=1)),
        BEN: Membership(Role.VIEWER, clock.now()),
    }
    assert team.description == "For us\nall"
    assert ([(m.user.id, m.role) for m in members], total) == ([(BEN, Role.VIEWER)], 2)
    assert [(s.id, role) for s, role in spaces] == [(TEAM, Role.VIEWER), (OTHER, Role.OWNER)]
    assert count == 2


async def test_a_removed_member_is_gone_and_a_changed_role_is_kept(
    store: IdentityStore, people: None, clock: FrozenClock
) -> None:
    async with store.transaction() as uow:
        team = await uow.spaces.get(ANNAS, TEAM)
        team.add_member(BEN, Role.OWNER, actor_id=ANNA, now=clock.now())
        await uow.spaces.save(ANNAS, team)
        team.set_role(BEN, Role.ADMIN, actor_id=ANNA, now=clock.now())
        await uow.spaces.save(ANNAS, team)
        assert (await uow.spaces.get(ANNAS, TEAM)).role_of(BEN) is Role.ADMIN
        team.remove_member(BEN, actor_id=ANNA, now=clock.now())
        await uow.spaces.save(ANNAS, team)
        await uow.commit()

    async with store.snapshot() as uow:
        assert set((await uow.spaces.get(ANNAS, TEAM)).members) == {ANNA}
        assert await uow.credentials.rights_of(BEN) == ({OTHER: Role.OWNER}, {})


async def test_two_changes_of_one_space_do_not_overwrite_each_other(
    store: IdentityStore, people: None, clock: FrozenClock
) -> None:
    async with store.snapshot() as uow:
        mine = await uow.spaces.get(ANNAS, TEAM)
        theirs = await uow.spaces.get(ANNAS, TEAM)
    async with store.transaction() as uow:
        await uow.spaces.save(ANNAS, mine)
        await uow.commit()
    with pytest.raises(StaleRevision):
        async with store.transaction() as uow:
            await uow.spaces.save(ANNAS, theirs)


async def test_a_space_outside_the_scope_is_not_found(store: IdentityStore, people: None) -> None:
    async with store.snapshot() as uow:
        for hidden in (OTHER, SpaceId(99), SpaceId(2**63 - 1)):
            with pytest.raises(SpaceNotFound):
                await uow.spaces.get(ANNAS, hidden)
            assert await uow.spaces.list_members(ANNAS, hidden, offset=0, limit=5) == ([], 0)
        assert await uow.spaces.page(BENS, offset=0, limit=5) != ([], 0)
        assert await uow.spaces.page(TenantScope(ANNA, frozenset()), offset=0, limit=5) == ([], 0)


async def test_a_deleted_space_is_gone_for_everyone(
    store: IdentityStore, people: None, clock: FrozenClock
) -> None:
    async with store.transaction() as uow:
        assert await uow.spaces.count_owned(ANNAS) == 1
        team = await uow.spaces.get(ANNAS, TEAM)
        team.delete(actor_id=ANNA, now=clock.now())
        await uow.spaces.save(ANNAS, team)
        await uow.commit()

    async with store.snapshot() as uow:
        with pytest.raises(SpaceNotFound):
            await uow.spaces.get(ANNAS, TEAM)
        assert await uow.spaces.page(EVERYTHING, offset=0, limit=5) == ([], 0)
        assert await uow.spaces.count_owned(ANNAS) == 0
        week_ago = clock.now() - timedelta(days=7)
        (mine,) = await uow.spaces.deleted(ANNAS, since=week_ago, after=None, limit=5)
        assert mine.id == TEAM
        assert mine.restorable_until == clock.now() + timedelta(days=7)
        assert await uow.spaces.deleted(ANNAS, since=week_ago, after=TEAM, limit=5) == []
        assert await uow.spaces.deleted(ANNAS, since=clock.now(), after=None, limit=5) == []
        assert await uow.spaces.deleted(BENS, since=week_ago, after=None, limit=5) == []
        assert await uow.credentials.rights_of(ANNA) == ({}, {})


async def test_a_token_comes_back_as_it_was_saved(
    store: IdentityStore, people: None, make_token: MakeToken, clock: FrozenClock
) -> None:
    grant = Grant(
        permissions=frozenset({Permission.CHAT, Permission.FILE}),
        space_ids=frozenset({TEAM}),
        agent_ids=frozenset({AgentId(5)}),
        end_user_id="u1",
    )
    expires_at = clock.now() + timedelta(days=30)
    async with store.transaction() as uow:
        await uow.tokens.save(ANNAS, make_token(1, grant=grant, expires_at=expires_at))
        await uow.tokens.save(ANNAS, make_token(2, grant=Grant(permissions=frozenset())))
        await uow.commit()

    async with store.snapshot() as uow:
        token = await uow.tokens.get(ANNAS, TokenId(1))
        none = await uow.tokens.get(ANNAS, TokenId(2))
    assert (token.grant, token.expires_at, token.last4) == (grant, expires_at, "0001")
    assert none.grant.permissions == frozenset(), "no permission is not all permissions"


async def test_tokens_are_their_owners_alone(
    store: IdentityStore, people: None, make_token: MakeToken
) -> None:
    async with store.transaction() as uow:
        await uow.tokens.save(ANNAS, make_token(1))
        await uow.tokens.save(BENS, make_token(2, BEN))
        with pytest.raises(TokenNotFound):
            await uow.tokens.save(BENS, make_token(3))
        await uow.commit()

    async with store.snapshot() as uow:
        with pytest.raises(TokenNotFound):
            await uow.tokens.get(BENS, TokenId(1))
        tokens, total = await uow.tokens.page(BENS, within=Grant(), before=None, limit=5)
    assert ([t.id for t in tokens], total) == ([2], 1)


async def test_revoked_and_short_lived_tokens_are_not_listed(
    store: IdentityStore, people: None, make_token: MakeToken, clock: FrozenClock
) -> None:
    short = {"kind": TokenKind.SHORT_LIVED, "expires_at": clock.now()}
    async with store.transaction() as uow:
        for number in (1, 2, 3):
            await uow.tokens.save(ANNAS, make_token(number))
        await uow.tokens.save(ANNAS, make_token(4, **short))
        gone = await uow.tokens.get(ANNAS, TokenId(2))
        gone.revoke(actor_id=ANNA, now=clock.now())
        await uow.tokens.save(ANNAS, gone)
        await uow.commit()

    async with store.transaction() as uow:
        newest, total = await uow.tokens.page(ANNAS, within=Grant(), before=None, limit=1)
        rest, _ = await uow.tokens.page(ANNAS, within=Grant(), before=TokenId(3), limit=5)
        with pytest.raises(TokenNotFound):
            await uow.tokens.get(ANNAS, TokenId(2))
        await uow.tokens.forget_short_lived(
            ANNAS, expired_before=clock.now() + timedelta(seconds=1)
        )
        assert await uow.credentials.find(token_digest(f"pat_{4:049d}")) is None
        await uow.tokens.get(ANNAS, TokenId(1))
    assert ([t.id for t in newest], total, [t.id for t in rest]) == ([3], 2, [1])


async def test_a_credential_is_found_by_its_digest_with_all_roles(
    store: IdentityStore, people: None, make_token: MakeToken
) -> None:
    async with store.transaction() as uow:
        await uow.tokens.save(ANNAS, make_token(1))
        await uow.commit()

    async with store.snapshot() as uow:
        found = await uow.credentials.find(token_digest(f"pat_{1:049d}"))
        assert await uow.credentials.find(token_digest("pat_other")) is None
    assert found is not None
    assert found.user is not None
    assert (found.token.id, found.user.id, found.roles) == (1, ANNA, {TEAM: Role.OWNER})


async def test_uses_of_tokens_never_move_backwards_nor_make_edits_stale(
    store: IdentityStore, people: None, make_token: MakeToken, clock: FrozenClock
) -> None:
    token, later = make_token(1), clock.now() + timedelta(minutes=5)
    async with store.transaction() as uow:
        await uow.tokens.save(ANNAS, token)
        await uow.credentials.record_use({TokenId(1): later})
        await uow.credentials.record_use({TokenId(1): clock.now(), TokenId(99): clock.now()})
        token.rename("Renamed", actor_id=ANNA, now=clock.now())
        await uow.tokens.save(ANNAS, token)
        await uow.commit()

    async with store.snapshot() as uow:
        found = await uow.tokens.get(ANNAS, TokenId(1))
    assert (found.last_used_at, found.name) == (later, "Renamed")


async def test_the_audit_log_keeps_each_event_once_and_shows_it_to_its_space(
    store: IdentityStore, clock: FrozenClock
) -> None:
    def entry(number: int, space_id: int, event: str) -> AuditEntry:
        return AuditEntry(
            id=number,
            event_id=event,
            space_id=SpaceId(space_id),
            actor_id=ANNA,
            action="space.renamed",
            resource=f"space:{space_id}",
            result="done",
            detail="{}",
            log_id="L",
            at=clock.now(),
        )

    async with store.transaction() as uow:
        for number, (space_id, event) in enumerate(
            [(TEAM, "a"), (OTHER, "b"), (0, "c"), (TEAM, "a"), (TEAM, "d")], start=1
        ):
            await uow.trail.append(entry(number, space_id, event))
        await uow.commit()

    async with store.snapshot() as uow:
        mine, total = await uow.audit.page(
            ANNAS, AuditQuery(), deployment=False, before=None, limit=5
        )
        older, _ = await uow.audit.page(ANNAS, AuditQuery(), deployment=True, before=5, limit=5)
    assert ([e.event_id for e in mine], total) == (["d", "a"], 2)
    assert [e.event_id for e in older] == ["c", "a"]
    assert older[1] == entry(1, TEAM, "a")


def service_token(number: int, clock: FrozenClock, **changes: object) -> ServiceToken:
    values: dict[str, object] = {
        "id": TokenId(number),
        "space_id": TEAM,
        "name": f"Service {number}",
        "text": f"czs_{number:049d}",
        "rights": ServiceRights(
            permissions=frozenset({Permission.CHAT, Permission.FILE}),
            agent_ids=frozenset({AgentId(7)}),
            networks=frozenset({"192.0.2.0/24"}),
        ),
        "expires_at": clock.now() + timedelta(days=1),
        "actor_id": ANNA,
        "now": clock.now(),
    }
    return ServiceToken.create(**{**values, **changes})  # type: ignore[arg-type]


async def test_a_service_token_is_found_by_both_its_texts_and_in_its_workspace_alone(
    store: IdentityStore, people: None, clock: FrozenClock
) -> None:
    token = service_token(1, clock)
    token.rotate(f"czs_{2:049d}", overlap=timedelta(hours=1), actor_id=ANNA, now=clock.now())
    async with store.transaction() as uow:
        await uow.service_tokens.save(ANNAS, token)
        await uow.service_tokens.save(ANNAS, service_token(3, clock, rights=_NO_LIMITS))
        with pytest.raises(TokenNotFound):
            await uow.service_tokens.save(BENS, service_token(4, clock))
        await uow.commit()

    async with store.snapshot() as uow:
        found = [await uow.services.find(token_digest(f"czs_{n:049d}")) for n in (1, 2, 3, 4)]
        assert [each and each.id for each in found] == [1, 1, 3, None]
        assert found[0] is not None
        assert found[2] is not None
        assert (found[0].rights, found[0].former_until) == (token.rights, token.former_until)
        assert found[2].rights == _NO_LIMITS
        assert [each.id for each in await uow.service_tokens.all(ANNAS)] == [3, 1]
        assert await uow.service_tokens.all(BENS) == []
        with pytest.raises(TokenNotFound):
            await uow.service_tokens.get(BENS, TokenId(1))
        assert await uow.services.names([1, 3, 99]) == {1: "Service 1", 3: "Service 3"}
        assert not await uow.credentials.is_revoked(TokenId(1))
        assert await uow.credentials.is_revoked(TokenId(99))


async def test_a_service_token_is_revoked_used_and_warned_of(
    store: IdentityStore, people: None, clock: FrozenClock
) -> None:
    later = clock.now() + timedelta(days=2)
    async with store.transaction() as uow:
        for number in (1, 2, 3):
            await uow.service_tokens.save(ANNAS, service_token(number, clock))
        await uow.service_tokens.save(ANNAS, service_token(4, clock, expires_at=None))
        await uow.commit()
    async with store.transaction() as uow:
        first = await uow.service_tokens.get(ANNAS, TokenId(1))
        first.revoke(actor_id=ANNA, now=clock.now())
        await uow.service_tokens.save(ANNAS, first)
        second = await uow.service_tokens.get(ANNAS, TokenId(2))
        of = TokenKind.SERVICE
        await uow.credentials.record_use({TokenId(2): later}, of=of)
        uses = {TokenId(2): clock.now(), TokenId(99): clock.now()}
        await uow.credentials.record_use(uses, of=of)
        second.warn(clock.now())
        await uow.services.save(second)
        await uow.commit()

    async with store.snapshot() as uow:
        assert [each.id for each in await uow.services.expiring(before=later, limit=9)] == [3]
        assert await uow.services.expiring(before=clock.now(), limit=9) == []
        assert (await uow.service_tokens.get(ANNAS, TokenId(2))).last_used_at == later
        assert await uow.credentials.is_revoked(TokenId(1))
        with pytest.raises(TokenNotFound):
            await uow.service_tokens.get(ANNAS, TokenId(1))


async def test_the_oldest_token_is_known_by_its_digest(
    store: IdentityStore, people: None, make_token: MakeToken
) -> None:
    async with store.transaction() as uow:
        assert await uow.credentials.first_digest() is None
        for number in (5, 4, 6):
            await uow.tokens.save(ANNAS, make_token(number))
        await uow.commit()

    async with store.snapshot() as uow:
        assert await uow.credentials.first_digest() == token_digest(f"pat_{4:049d}")


def entry(number: int, clock: FrozenClock, **changes: object) -> AuditEntry:
    values: dict[str, object] = {
        "id": number,
        "event_id": f"e{number}",
        "space_id": TEAM,
        "actor_id": ANNA,
        "action": "admin.agents.update",
        "resource": f"agent:{number % 3}",
        "result": "done",
        "detail": "{}",
        "log_id": "L",
        "at": clock.now() + timedelta(minutes=number),
        "changes": '{"name":{"before":"a","after":"b"}}',
    }
    return AuditEntry(**{**values, **changes})  # type: ignore[arg-type]


async def examined(store: IdentityStore) -> Verdict:
    async with store.snapshot() as uow:
        verifier = Verifier(await uow.trail.chain())
        while links := await uow.trail.links(after=verifier.position, limit=4):
            if not verifier.follow(links):
                break
        return verifier.verdict(unchained=await uow.trail.count_unchained())


async def chained(store: IdentityStore, clock: FrozenClock, numbers: Iterable[int]) -> None:
    async with store.transaction() as uow:
        for number in numbers:
            await uow.trail.append(entry(number, clock))
        while await uow.trail.link(limit=4):
            pass
        await uow.commit()


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE audit_log SET actor_id = 99 WHERE id = 5",
        "UPDATE audit_log SET changes = NULL WHERE id = 5",
        "UPDATE audit_log SET address = '192.0.2.1' WHERE id = 5",
        "UPDATE audit_log SET at = at + 1 WHERE id = 5",
        "DELETE FROM audit_log WHERE id = 5",
        "DELETE FROM audit_log WHERE id = 1",
        "DELETE FROM audit_log WHERE id = 9",
        "UPDATE audit_log SET position = 99 WHERE id = 9",
    ],
)
async def test_the_chain_shows_what_was_changed_behind_its_back(
    harm: str, database: Database, store: IdentityStore, clock: FrozenClock
) -> None:
    await chained(store, clock, range(1, 10))
    whole = await examined(store)
    assert (whole.is_intact, whole.checked, whole.unchained) == (True, 9, 0)

    async with database.write() as connection:
        await connection.execute(sa.text(harm))
        await connection.commit()

    assert not (await examined(store)).is_intact


async def test_rows_are_chained_in_the_order_of_their_commits_and_then_of_their_ids(
    store: IdentityStore, clock: FrozenClock
) -> None:
    await chained(store, clock, [5, 3, 8])
    await chained(store, clock, [1, 9])
    async with store.transaction() as uow:
        await uow.trail.append(entry(10, clock))
        await uow.commit()

    async with store.snapshot() as uow:
        links = await uow.trail.links(after=0, limit=99)
    found = await examined(store)

    assert [each.id for each in links] == [3, 5, 8, 1, 9]
    assert (found.is_intact, found.unchained) == (True, 1)


async def test_what_is_cut_off_leaves_a_chain_that_holds(
    store: IdentityStore, clock: FrozenClock
) -> None:
    await chained(store, clock, range(1, 10))
    async with store.transaction() as uow:
        assert await uow.trail.cut(before=clock.now() + timedelta(minutes=5), limit=99) == 4
        assert await uow.trail.cut(before=clock.now() + timedelta(minutes=5), limit=99) == 0
        await uow.commit()
    await chained(store, clock, [11])

    found = await examined(store)

    assert (found.is_intact, found.checked) == (True, 6)


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        (AuditQuery(), [6, 5, 4, 3, 2, 1]),
        (AuditQuery(actor_id=ANNA, action="admin.agents.update"), [6, 5, 4, 3, 2, 1]),
        (AuditQuery(actor_id=BEN), []),
        (AuditQuery(action="admin.agents"), []),
        (AuditQuery(resource_type="agent", resource_id=1), [4, 1]),
        (AuditQuery(resource_type="agent"), [6, 5, 4, 3, 2, 1]),
        (AuditQuery(resource_type="age%"), []),
        (AuditQuery(resource_id=2), [5, 2]),
    ],
)
async def test_entries_are_found_by_who_what_and_on_what(
    query: AuditQuery, ids: list[int], store: IdentityStore, clock: FrozenClock
) -> None:
    await chained(store, clock, range(1, 7))
    async with store.snapshot() as uow:
        found, total = await uow.audit.page(ANNAS, query, deployment=True, before=None, limit=9)
        late, _ = await uow.audit.page(
            ANNAS,
            AuditQuery(
                since=clock.now() + timedelta(minutes=2), until=clock.now() + timedelta(minutes=4)
            ),
            deployment=True,
            before=None,
            limit=9,
        )
    assert [each.id for each in found] == ids
    assert total == len(ids)
    assert [each.id for each in late] == [3, 2]
