"""Tokens, workspaces, members, accounts and the audit log."""

import asyncio
from datetime import timedelta

import pytest

from application.identity.audit import AUDITED_TOPICS
from application.identity.dto import (
    CreateSpace,
    CreateToken,
    CreateUser,
    IssueToken,
    NewMember,
    UpdateSpace,
)
from bootstrap.compose.part.invalidation import rights_invalidation
from domain.identity.error import (
    InvalidIdentity,
    PersonalSpaceFixed,
    SpaceNotFound,
    TokenExceedsOwner,
    TooManySpaces,
    UserNameTaken,
)
from domain.shared.access import Permission, Role
from domain.shared.error import Forbidden, NotFound, Unauthenticated
from domain.shared.tracing.correlation import LOG_ID
from infra.impl.event_bus.delivery import BusTiming
from infra.impl.event_bus.embedded import EmbeddedEventBus
from infra.impl.repository.sql.engine.database import Database
from infra.impl.repository.sql.event.outbox import SqlEventQueue
from infra.impl.signal.local import LocalSignals
from tests.support.clock import FrozenClock
from tests.support.identity.service import Identity, KnownAgents, add_user


async def test_a_token_grants_no_more_than_its_maker(identity: Identity) -> None:
    admin = await identity.principal()
    team = await identity.spaces.create(admin, CreateSpace(name="Team"))
    limited = await identity.tokens.create(
        await identity.principal(),
        CreateToken(
            name="Limited",
            permissions=frozenset({Permission.CHAT, Permission.ADMIN}),
            space_ids=frozenset({team.id}),
        ),
    )
    maker = await identity.principal(limited.text)
    assert set(maker.roles) == {team.id}
    assert not maker.may(Permission.AGENT_WRITE, maker.personal_space_id)

    inherited = await identity.tokens.create(maker, CreateToken(name="Same"))
    assert inherited.token.permissions == limited.token.permissions
    assert inherited.token.space_ids == (team.id,)
    for command in (
        CreateToken(name="More", permissions=frozenset({Permission.FILE})),
        CreateToken(name="Wider", space_ids=frozenset({admin.personal_space_id})),
        CreateToken(name="Foreign", space_ids=frozenset({4711})),
    ):
        with pytest.raises(TokenExceedsOwner):
            await identity.tokens.create(maker, command)


@pytest.mark.parametrize("name", ["", " ", "x" * 51, "a\nb"])
async def test_a_token_needs_a_proper_name(identity: Identity, name: str) -> None:
    with pytest.raises(InvalidIdentity):
        await identity.tokens.create(await identity.principal(), CreateToken(name=name))


async def test_an_expiry_lies_in_the_future_within_a_year(
    identity: Identity, clock: FrozenClock
) -> None:
    admin = await identity.principal()
    for days in (0, -1, 366):
        moment = clock.now() + timedelta(days=days)
        with pytest.raises(InvalidIdentity, match="expires_at"):
            await identity.tokens.create(admin, CreateToken(name="x", expires_at=moment))
    made = await identity.tokens.create(admin, CreateToken(name="x", duration_days=30))
    assert made.token.expires_at == clock.now() + timedelta(days=30)


async def test_a_short_lived_token_only_chats_with_its_agents(
    identity: Identity, clock: FrozenClock
) -> None:
    admin = await identity.principal()
    made = await identity.tokens.issue(
        admin, IssueToken(agent_ids=frozenset({5}), end_user_id="visitor")
    )
    visitor = await identity.principal(made.text)

    assert made.text.reveal().startswith("cst_")
    assert (visitor.agent_ids, visitor.end_user_id) == (frozenset({5}), "visitor")
    assert visitor.may(Permission.CHAT, visitor.personal_space_id)
    assert not visitor.may(Permission.AGENT_WRITE, visitor.personal_space_id)
    with pytest.raises(Forbidden):
        await identity.tokens.create(visitor, CreateToken(name="x"))
    with pytest.raises(TokenExceedsOwner):
        await identity.tokens.issue(visitor, IssueToken(agent_ids=frozenset({5})))
    clock.advance(seconds=900)
    with pytest.raises(Unauthenticated):
        await identity.principal(made.text)


@pytest.mark.parametrize(
    "command",
    [
        IssueToken(agent_ids=frozenset()),
        IssueToken(agent_ids=frozenset({1}), duration_s=0),
        IssueToken(agent_ids=frozenset({1}), duration_s=86_401),
        IssueToken(agent_ids=frozenset({1}), end_user_id="x" * 257),
    ],
)
async def test_a_short_lived_token_has_limits(identity: Identity, command: IssueToken) -> None:
    with pytest.raises(InvalidIdentity):
        await identity.tokens.issue(await identity.principal(), command)


async def test_a_short_lived_token_names_agents_that_exist(identity: Identity) -> None:
    with pytest.raises(NotFound):
        await identity.tokens.issue(
            await identity.principal(), IssueToken(agent_ids=frozenset({5, KnownAgents.missing}))
        )


async def test_members_get_their_rights_at_once_and_lose_them_at_once(identity: Identity) -> None:
    admin = await identity.principal()
    user_id, token = await add_user(identity, "anna")
    team = await identity.spaces.create(admin, CreateSpace(name="Team"))
    admin = await identity.principal()
    with pytest.raises(NotFound):
        await identity.spaces.get(await identity.principal(token), team.id)

    result = await identity.members.add(
        admin,
        team.id,
        [NewMember(user_id=user_id, role=Role.EDITOR), NewMember(user_id=99, role=Role.EDITOR)],
    )
    assert (result.added, result.unknown, result.already_members) == ((user_id,), (99,), ())
    anna = await identity.principal(token)
    assert anna.roles[team.id] is Role.EDITOR  # type: ignore[index]
    with pytest.raises(Forbidden):
        await identity.spaces.update(anna, UpdateSpace(space_id=team.id, name="Mine"))

    await identity.members.set_role(admin, team.id, user_id, Role.ADMIN)
    anna = await identity.principal(token)
    renamed, _ = await identity.spaces.update(anna, UpdateSpace(space_id=team.id, name="Ours"))
    assert renamed.name
    removed = await identity.members.remove(anna, team.id, [admin.user_id, 99, user_id])
    assert removed.owners == (admin.user_id,)
    assert removed.not_members == (99,)
    assert removed.removed == (user_id,)
    assert team.id not in (await identity.principal(token)).roles


async def test_a_viewer_may_leave_but_dismiss_nobody(identity: Identity) -> None:
    admin = await identity.principal()
    user_id, token = await add_user(identity, "anna")
    team = await identity.spaces.create(admin, CreateSpace(name="Team"))
    admin = await identity.principal()
    await identity.members.add(admin, team.id, [NewMember(user_id=user_id, role=Role.VIEWER)])
    anna = await identity.principal(token)

    with pytest.raises(Forbidden):
        await identity.members.remove(anna, team.id, [admin.user_id])
    assert (await identity.members.remove(anna, team.id, [user_id])).removed == (user_id,)


async def test_an_account_has_a_bounded_number_of_workspaces(identity: Identity) -> None:
    for _ in range(2):
        await identity.spaces.create(await identity.principal(), CreateSpace(name="Team"))

    with pytest.raises(TooManySpaces):
        await identity.spaces.create(await identity.principal(), CreateSpace(name="Team"))


async def test_workspaces_of_others_count_for_nothing(identity: Identity) -> None:
    user_id, token = await add_user(identity, "anna")
    for role in (Role.VIEWER, Role.ADMIN):
        team = await identity.spaces.create(await identity.principal(), CreateSpace(name="Team"))
        admin = await identity.principal()
        await identity.members.add(admin, team.id, [NewMember(user_id=user_id, role=role)])

    for _ in range(2):
        await identity.spaces.create(await identity.principal(token), CreateSpace(name="Own"))
    with pytest.raises(TooManySpaces):
        await identity.spaces.create(await identity.principal(token), CreateSpace(name="Own"))


async def test_nothing_that_a_token_makes_outlives_it(
    identity: Identity, clock: FrozenClock
) -> None:
    made = await identity.tokens.create(
        await identity.principal(), CreateToken(name="Month", duration_days=30)
    )
    month = await identity.principal(made.text)
    end = clock.now() + timedelta(days=30)

    assert (await identity.tokens.create(month, CreateToken(name="x"))).token.expires_at == end
    with pytest.raises(TokenExceedsOwner, match="outlive"):
        await identity.tokens.create(month, CreateToken(name="x", duration_days=90))
    created = await identity.users.create(month, CreateUser(name="anna"))
    assert (await identity.principal(created.token)).expires_at == end
    clock.advance(days=30)
    with pytest.raises(Unauthenticated):
        await identity.principal(created.token)


async def test_a_token_sees_and_stops_only_what_lies_within_it(identity: Identity) -> None:
    admin = await identity.principal()
    team = await identity.spaces.create(admin, CreateSpace(name="Team"))
    here = frozenset({team.id})

    async def make(**limits: object) -> int:
        command = CreateToken(name="x", **limits)  # type: ignore[arg-type]
        return (await identity.tokens.create(await identity.principal(), command)).token.id

    manager = await identity.tokens.create(
        await identity.principal(), CreateToken(name="Manager", space_ids=here)
    )
    inside = [await make(space_ids=here), await make(space_ids=here, permissions=frozenset())]
    outside = [await make(), await make(space_ids=frozenset({admin.personal_space_id}))]
    holder = await identity.principal(manager.text)

    page = await identity.tokens.page(holder, limit=2)
    rest = await identity.tokens.page(holder, before=page.next_before, limit=2)
    assert [each.id for each in (*page.items, *rest.items)] == [*reversed(inside), manager.token.id]
    assert page.total == 3
    for token_id in outside:
        for use in (
            identity.tokens.get(holder, token_id),
            identity.tokens.rename(holder, token_id, "Mine"),
            identity.tokens.revoke(holder, token_id),
        ):
            with pytest.raises(NotFound):
                await use
    for token_id in inside:
        await identity.tokens.revoke(holder, token_id)


async def test_a_deleted_workspace_is_gone_at_once(identity: Identity) -> None:
    team = await identity.spaces.create(await identity.principal(), CreateSpace(name="Team"))
    admin = await identity.principal()

    await identity.spaces.delete(admin, team.id)

    assert team.id not in (await identity.principal()).roles
    with pytest.raises(SpaceNotFound):
        await identity.spaces.get(admin, team.id)
    with pytest.raises(PersonalSpaceFixed):
        await identity.spaces.delete(admin, admin.personal_space_id)


async def test_accounts_are_for_administrators(identity: Identity) -> None:
    _, token = await add_user(identity, "anna")
    anna = await identity.principal(token)

    with pytest.raises(Forbidden):
        await identity.users.create(anna, CreateUser(name="carl"))
    with pytest.raises(Forbidden):
        await identity.users.page(anna)
    with pytest.raises(UserNameTaken):
        await identity.users.create(await identity.principal(), CreateUser(name="Anna"))
    assert (await identity.users.page(await identity.principal(), text="ann")).total == 1


async def test_what_people_change_ends_up_in_the_audit_log(
    identity: Identity, sqlite_database: Database, clock: FrozenClock
) -> None:
    queue = SqlEventQueue(sqlite_database)
    bus = EmbeddedEventBus(
        queue=queue, clock=clock, timing=BusTiming(poll_s=0.05, coalesce_s=0.001)
    )
    bus.subscribe("audit", AUDITED_TOPICS, identity.audit.record)
    rights = rights_invalidation(LocalSignals(), [identity.auth.forget])
    bus.subscribe(rights.name, rights.topics, rights.handle)
    await bus.start()
    log_id = LOG_ID.set("L1")
    admin = await identity.principal()
    team = await identity.spaces.create(admin, CreateSpace(name="Team"))
    LOG_ID.reset(log_id)
    async with asyncio.timeout(60):
        while (await queue.backlog()).pending:  # noqa: ASYNC110 - it polls a database
            await asyncio.sleep(0.005)
    await bus.aclose()

    page = await identity.audit.page(await identity.principal(), limit=1)
    entry = page.items[0]
    assert (entry.action, entry.resource) == ("space.created", f"space:{team.id}")
    assert (entry.space_id, entry.actor_id, entry.log_id) == (team.id, admin.user_id, "L1")
    assert entry.detail == {"name": "Team", "kind": "team"}
    assert page.total == 4, "account, its space, its token, the team"
    assert page.next_before == entry.id

    _, token = await add_user(identity, "anna")
    annas = await identity.audit.page(await identity.principal(token))
    assert annas.total == 0, "other spaces and the deployment are not hers"
