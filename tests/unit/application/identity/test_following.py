"""What each change of rights ends: every change, every caller who follows something."""

import pytest

from application.identity.following import Followers, RightsChange
from domain.shared.access import Principal, Role
from domain.shared.ids import SpaceId, TokenId, UserId

ANNA, BEN = 1, 2
HERE, THERE = SpaceId(10), SpaceId(20)


def principal(user: int, token: int, role: Role = Role.EDITOR) -> Principal:
    return Principal(
        user_id=UserId(user),
        token_id=TokenId(token),
        roles={HERE: role, THERE: Role.OWNER},
        personal_space_id=THERE,
    )


FOLLOWERS = {
    "here": (principal(ANNA, 100), HERE),
    "there": (principal(ANNA, 100), THERE),
    "anywhere": (principal(ANNA, 100), None),
    "other token": (principal(ANNA, 101), HERE),
    "other account": (principal(BEN, 200), HERE),
}
ENDS = {
    RightsChange("token.revoked", 100): {"here", "there", "anywhere"},
    RightsChange("user.disabled", ANNA): {"here", "there", "anywhere", "other token"},
    RightsChange("membership.removed", HERE, ANNA): {"here", "anywhere", "other token"},
    RightsChange("space.deleted", HERE): {"here", "anywhere", "other token", "other account"},
    RightsChange("membership.role_changed", HERE, ANNA, role=Role.VIEWER): {
        "here",
        "anywhere",
        "other token",
    },
    RightsChange("membership.role_changed", HERE, ANNA, role=Role.OWNER): set(),
    RightsChange("membership.added", HERE, ANNA, role=Role.VIEWER): set(),
    RightsChange("space.created", HERE, actor_id=ANNA): set(),
    RightsChange("user.enabled", ANNA): set(),
    RightsChange("token.revoked", 999): set(),
}


@pytest.mark.parametrize("change", ENDS, ids=lambda change: f"{change.type}-{change.role}")
@pytest.mark.parametrize("begins_late", [False, True])
def test_a_change_ends_what_it_takes_away(change: RightsChange, begins_late: bool) -> None:
    followers, ended = Followers(), set[str]()
    if begins_late:  # the caller was let in before, and begins to follow only now
        followers.apply(change)
    stops = [
        followers.add(who, space_id, lambda name=name: ended.add(name))  # type: ignore[misc]
        for name, (who, space_id) in FOLLOWERS.items()
    ]
    if not begins_late:
        followers.apply(change)

    assert ended == ENDS[change]
    for stop in stops:
        stop()
    assert followers.size == 0


@pytest.mark.parametrize(
    ("taken", "given"),
    [
        (RightsChange("user.disabled", ANNA), RightsChange("user.enabled", ANNA)),
        (
            RightsChange("membership.removed", HERE, ANNA),
            RightsChange("membership.added", HERE, ANNA),
        ),
    ],
    ids=["account", "membership"],
)
def test_rights_that_were_given_back_are_rights(taken: RightsChange, given: RightsChange) -> None:
    followers, ended = Followers(), list[str]()
    followers.apply(taken)
    followers.apply(given)

    followers.add(principal(ANNA, 100), HERE, lambda: ended.append("ended"))

    assert ended == []


def test_a_caller_who_came_back_with_the_smaller_role_goes_on() -> None:
    followers, ended = Followers(), list[str]()
    followers.apply(RightsChange("membership.role_changed", HERE, ANNA, role=Role.VIEWER))

    followers.add(principal(ANNA, 100, Role.VIEWER), HERE, lambda: ended.append("ended"))

    assert ended == []
