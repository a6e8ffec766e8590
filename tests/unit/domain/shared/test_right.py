"""Rights on one resource: every role with every grant, every token and every kind of resource."""

from datetime import UTC, datetime
from itertools import product

import pytest

from domain.identity.entity import User
from domain.identity.service import principal_of
from domain.shared.access import (
    AGENT_PERMISSIONS,
    ROLE_PERMISSIONS,
    Grant,
    GrantLevel,
    Permission,
    Principal,
    Resource,
    ResourceKind,
    Role,
    Share,
    level_for,
    permissions_of,
)
from domain.shared.error import Forbidden, NotFound
from domain.shared.ids import AgentId, SpaceId, UserId

HOME, PLACE, ELSEWHERE = SpaceId(1), SpaceId(2), SpaceId(3)
THING, OTHER = 77, 78
WHOLE = Grant()
NOW = datetime(2030, 5, 1, tzinfo=UTC)
READING = {
    ResourceKind.AGENT: Permission.AGENT_READ,
    ResourceKind.APP: Permission.AGENT_READ,
    ResourceKind.DATABASE: Permission.DATASET_READ,
    ResourceKind.DATASET: Permission.DATASET_READ,
    ResourceKind.PLUGIN: Permission.PLUGIN_READ,
    ResourceKind.PROMPT: Permission.AGENT_READ,
    ResourceKind.WORKFLOW: Permission.WORKFLOW_READ,
}
TOKENS = {
    "of the account": Grant(),
    "for reading": Grant(permissions=frozenset(READING.values())),
    "with nothing": Grant(permissions=frozenset()),
    "for that workspace": Grant(space_ids=frozenset({PLACE})),
    "for another workspace": Grant(space_ids=frozenset({HOME})),
    "for that agent": Grant(agent_ids=frozenset({AgentId(THING)})),
    "for another agent": Grant(agent_ids=frozenset({AgentId(OTHER)})),
}


def caller(
    kind: ResourceKind, role: Role | None, level: GrantLevel | None, grant: Grant = WHOLE
) -> Principal:
    user = User(
        id=UserId(1),
        name="anna",
        nickname="",
        avatar_url="",
        personal_space_id=HOME,
        is_admin=False,
        created_at=NOW,
    )
    roles = {HOME: Role.OWNER} | ({PLACE: role} if role else {})
    shares = {} if level is None else {Resource(kind, THING): Share(PLACE, level)}
    return principal_of(user, roles, shares=shares, grant=grant)


def is_reached(kind: ResourceKind, grant: Grant, *, by_grant: bool) -> bool:
    """Tell whether a token leaves the resource: a limit to agents leaves nothing but these."""
    if grant.space_ids is not None and PLACE not in grant.space_ids:
        return False
    if grant.agent_ids is None or not by_grant:
        return True
    return kind is ResourceKind.AGENT and AgentId(THING) in grant.agent_ids


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("kind", ResourceKind)
def test_the_strongest_of_role_and_grant_counts_as_far_as_the_token_goes(
    kind: ResourceKind, token: str
) -> None:
    grant = TOKENS[token]
    for role, level, permission in product([None, *Role], [None, *GrantLevel], Permission):
        who = caller(kind, role, level, grant)
        there = who.toward(kind, THING, permissions=frozenset({permission}))
        by_role = role is not None and permission in ROLE_PERMISSIONS[role]
        by_grant = level is not None and permission in permissions_of(kind, level)
        left = grant.permissions is None or permission in grant.permissions
        if grant.agent_ids is not None:
            left = left and permission in AGENT_PERMISSIONS
        expected = left and (
            (by_role and is_reached(kind, grant, by_grant=False))
            or (by_grant and is_reached(kind, grant, by_grant=True))
        )

        assert there.may(permission, PLACE) is expected, (role, level, permission)


@pytest.mark.parametrize("kind", ResourceKind)
@pytest.mark.parametrize("needed", GrantLevel)
def test_a_use_case_may_ask_for_a_stronger_grant_than_its_permission(
    kind: ResourceKind, needed: GrantLevel
) -> None:
    for role, level in product([None, *Role], GrantLevel):
        who = caller(kind, role, level)
        there = who.toward(kind, THING, permissions=frozenset({READING[kind]}), level=needed)

        assert there.may(READING[kind], PLACE) is (role is not None or level.holds(needed))


@pytest.mark.parametrize("kind", ResourceKind)
def test_levels_hold_those_before_them(kind: ResourceKind) -> None:
    levels = list(GrantLevel)
    for weaker, stronger in product(levels, levels):
        order = levels.index(stronger) >= levels.index(weaker)
        assert stronger.holds(weaker) is order
        if order:
            assert permissions_of(kind, weaker) <= permissions_of(kind, stronger)
    assert READING[kind] in permissions_of(kind, GrantLevel.VIEW)
    for level in GrantLevel:
        enough = level_for(kind, permissions_of(kind, level))
        assert enough is not None
        assert level.holds(enough)
    assert level_for(kind, frozenset({Permission.SPACE_WRITE})) is None
    assert level_for(kind, frozenset({Permission.ADMIN})) is None


@pytest.mark.parametrize("kind", ResourceKind)
@pytest.mark.parametrize("level", GrantLevel)
def test_a_grant_opens_nothing_but_its_resource(kind: ResourceKind, level: GrantLevel) -> None:
    who = caller(kind, None, level)
    reading = frozenset({READING[kind]})

    assert PLACE not in who.scope.space_ids
    with pytest.raises(NotFound):
        who.require(READING[kind], PLACE)
    for other_kind, number in product(ResourceKind, (THING, OTHER)):
        if (other_kind, number) == (kind, THING):
            continue
        assert who.toward(other_kind, number, permissions=reading) is who
    there = who.toward(kind, THING, permissions=reading)
    assert there.scope.space_ids == {HOME, PLACE}
    assert there.scope.home.space_ids == {HOME}
    assert there.scope.own_runs_in == {PLACE}
    with pytest.raises(Forbidden):
        there.require(Permission.SPACE_READ, PLACE)
    if kind is ResourceKind.AGENT:
        assert there.agent_ids == frozenset({AgentId(THING)})


@pytest.mark.parametrize("kind", ResourceKind)
def test_a_list_shows_what_was_granted_or_everything(kind: ResourceKind) -> None:
    reading = READING[kind]
    for role, level in product([None, *Role], [None, *GrantLevel]):
        who = caller(kind, role, level)
        if role is None and level is None:
            with pytest.raises(NotFound):
                who.listing(kind, reading, PLACE)
            continue
        scope = who.listing(kind, reading, PLACE)
        assert scope.space_ids == {PLACE}
        assert scope.only == (None if role is not None else {THING})
    limited = caller(kind, None, GrantLevel.MANAGE, Grant(permissions=frozenset()))
    with pytest.raises(Forbidden):
        limited.listing(kind, reading, PLACE)
    with pytest.raises(NotFound):
        caller(kind, None, GrantLevel.MANAGE).listing(kind, reading, ELSEWHERE)


@pytest.mark.parametrize("kind", ResourceKind)
@pytest.mark.parametrize("level", GrantLevel)
def test_own_conversations_are_open_where_something_may_be_used(
    kind: ResourceKind, level: GrantLevel
) -> None:
    who = caller(kind, None, level).among_own()
    answers = kind in {ResourceKind.AGENT, ResourceKind.WORKFLOW}

    is_open = answers and level.holds(GrantLevel.USE)
    assert who.may(Permission.MESSAGE_READ, PLACE) is is_open
    assert (PLACE in who.scope.space_ids) is is_open
    assert not who.may(Permission.FILE, PLACE)
