"""What a token leaves of rights: the order of grants, and what may be done with a part of them."""

from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.identity.entity import User
from domain.identity.error import TokenExceedsOwner
from domain.identity.service import principal_of, require_within
from domain.shared.access import (
    BROWSER_PERMISSIONS,
    ROLE_PERMISSIONS,
    Grant,
    Permission,
    Principal,
    Role,
)
from domain.shared.error import Forbidden
from domain.shared.ids import AgentId, SpaceId, UserId

T = TypeVar("T")
NOW = datetime(2030, 5, 1, tzinfo=UTC)
ROLES = {SpaceId(number): role for number, role in enumerate(Role, start=1)}
MOMENTS = st.none() | st.integers(min_value=1, max_value=9).map(lambda n: NOW + timedelta(hours=n))
GRANTS = st.builds(
    Grant,
    permissions=st.none() | st.frozensets(st.sampled_from(list(Permission))),
    space_ids=st.none() | st.frozensets(st.sampled_from([*ROLES, SpaceId(9)])),
    agent_ids=st.none() | st.frozensets(st.sampled_from([AgentId(n) for n in range(3)])),
    end_user_id=st.sampled_from(["", "a", "b"]),
    is_browser=st.booleans(),
)


def principal(
    grant: Grant, *, is_admin: bool = True, expires_at: datetime | None = None
) -> Principal:
    user = User(
        id=UserId(1),
        name="anna",
        nickname="",
        avatar_url="",
        personal_space_id=SpaceId(1),
        is_admin=is_admin,
        created_at=NOW,
    )
    return principal_of(user, ROLES, grant=grant, expires_at=expires_at)


@given(GRANTS)
def test_a_grant_contains_itself_and_is_contained_in_none_at_all(grant: Grant) -> None:
    assert grant.contains(grant)
    assert Grant().contains(grant)
    assert grant.contains(Grant()) is (not grant.is_limited)


@given(GRANTS, GRANTS, GRANTS)
def test_containing_is_an_order(one: Grant, two: Grant, three: Grant) -> None:
    assert not (one.contains(two) and two.contains(three)) or one.contains(three)
    assert not (one.contains(two) and two.contains(one)) or one == two


@given(GRANTS, GRANTS)
def test_a_grant_within_another_gives_no_right_more(small: Grant, large: Grant) -> None:
    small = Grant(
        permissions=_both(small.permissions, large.permissions),
        space_ids=_both(small.space_ids, large.space_ids),
        agent_ids=_both(small.agent_ids, large.agent_ids),
        end_user_id=large.end_user_id or small.end_user_id,
        is_browser=small.is_browser or large.is_browser,
    )
    assert large.contains(small)
    holder, owner = principal(small), principal(large)
    for permission in Permission:
        assert owner.grant.permits(permission) or not holder.grant.permits(permission)
        for space_id in ROLES:
            assert owner.may(permission, space_id) or not holder.may(permission, space_id)
    assert owner.administers_deployment or not holder.administers_deployment
    assert holder.scope.space_ids <= owner.scope.space_ids
    assert owner.end_user_id in {"", holder.end_user_id}


@given(GRANTS, MOMENTS, GRANTS, MOMENTS)
def test_a_token_is_made_within_its_maker_or_not_at_all(
    made: Grant, expires_at: datetime | None, maker: Grant, ends_at: datetime | None
) -> None:
    outlives = ends_at is not None and (expires_at is None or expires_at > ends_at)
    who = principal(maker, expires_at=ends_at)
    if maker.contains(made) and not outlives:
        require_within(who, made, expires_at)
    else:
        with pytest.raises(TokenExceedsOwner):
            require_within(who, made, expires_at)


@given(GRANTS, st.booleans())
def test_only_an_administrator_without_any_limit_administers_the_deployment(
    grant: Grant, is_admin: bool
) -> None:
    who = principal(grant, is_admin=is_admin)
    assert who.administers_deployment is (is_admin and grant == Grant())
    if who.administers_deployment:
        who.require_deployment_admin()
    else:
        with pytest.raises(Forbidden):
            who.require_deployment_admin()


@given(GRANTS, st.sampled_from(list(Role)), st.sampled_from(list(ROLES)))
def test_a_role_is_given_by_what_holds_all_of_it(
    grant: Grant, role: Role, space_id: SpaceId
) -> None:
    holds = (
        (grant.permissions is None or ROLE_PERMISSIONS[role] <= grant.permissions)
        and (grant.space_ids is None or space_id in grant.space_ids)
        and grant.agent_ids is None
        and not grant.end_user_id
        and not grant.is_browser
    )
    if holds:
        principal(grant).require_role_within(role, space_id)
    else:
        with pytest.raises(Forbidden):
            principal(grant).require_role_within(role, space_id)


@given(GRANTS)
def test_what_browsers_hold_only_chats(grant: Grant) -> None:
    permitted = {permission for permission in Permission if grant.permits(permission)}

    assert not grant.is_browser or permitted <= BROWSER_PERMISSIONS
    assert grant.agent_ids is None or not permitted & {
        Permission.ADMIN,
        Permission.SPACE_READ,
        Permission.SPACE_WRITE,
        Permission.DATASET_READ,
        Permission.WORKFLOW_READ,
    }


def _both(one: frozenset[T] | None, two: frozenset[T] | None) -> frozenset[T] | None:
    if one is None or two is None:
        return two if one is None else one
    return one & two


@pytest.mark.parametrize(
    ("named", "home"),
    [
        (None, 1),
        ({1, 2}, 1),
        ({2}, 2),
        ({2, 9}, 2),  # the account is a member of one of them only
        ({9}, 9),  # and of none, where something may have been granted
        ({2, 3}, 1),
    ],
)
def test_what_names_no_workspace_goes_to_the_only_one_that_is_reached(
    named: set[int] | None, home: int
) -> None:
    spaces = None if named is None else frozenset(map(SpaceId, named))

    assert principal(Grant(space_ids=spaces)).personal_space_id == home
