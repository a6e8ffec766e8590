"""Who may be a member of a space, in which role."""

from datetime import timedelta

import pytest

from domain.identity.entity import Space
from domain.identity.error import (
    InvalidIdentity,
    LastOwner,
    MemberNotFound,
    OwnersOnly,
    PersonalSpaceFixed,
)
from domain.identity.value import SpaceKind
from domain.shared.access import Role
from domain.shared.ids import SpaceId, UserId
from tests.support.clock import FrozenClock

OWNER, ADMIN, GUEST = UserId(1), UserId(2), UserId(3)


def space(clock: FrozenClock, kind: SpaceKind = SpaceKind.TEAM) -> Space:
    created = Space.create(
        id=SpaceId(9), kind=kind, name=" Team ", owner_id=OWNER, actor_id=OWNER, now=clock.now()
    )
    created.pull_events()
    return created


def team(clock: FrozenClock) -> Space:
    made = space(clock)
    made.add_member(ADMIN, Role.ADMIN, actor_id=OWNER, now=clock.now())
    made.pull_events()
    return made


def test_a_new_space_belongs_to_its_owner(clock: FrozenClock) -> None:
    made = space(clock)

    assert made.name == "Team"
    assert made.role_of(OWNER) is Role.OWNER


@pytest.mark.parametrize("name", ["", "  ", "x" * 51, "a\nb", "a\u2028b", "a\x00b"])
def test_a_space_has_a_name_on_one_line(clock: FrozenClock, name: str) -> None:
    with pytest.raises(InvalidIdentity, match="name"):
        Space.create(
            id=SpaceId(9),
            kind=SpaceKind.TEAM,
            name=name,
            owner_id=OWNER,
            actor_id=OWNER,
            now=clock.now(),
        )


def test_a_personal_space_keeps_its_one_member(clock: FrozenClock) -> None:
    personal = space(clock, SpaceKind.PERSONAL)

    with pytest.raises(PersonalSpaceFixed):
        personal.add_member(GUEST, Role.VIEWER, actor_id=OWNER, now=clock.now())
    with pytest.raises(PersonalSpaceFixed):
        personal.remove_member(OWNER, actor_id=OWNER, now=clock.now())
    with pytest.raises(PersonalSpaceFixed):
        personal.delete(actor_id=OWNER, now=clock.now())


def test_adding_a_member_again_changes_nothing(clock: FrozenClock) -> None:
    made = team(clock)

    assert not made.add_member(ADMIN, Role.VIEWER, actor_id=OWNER, now=clock.now())
    assert made.role_of(ADMIN) is Role.ADMIN
    assert made.pull_events() == []


def test_only_owners_make_and_unmake_owners(clock: FrozenClock) -> None:
    made = team(clock)

    with pytest.raises(OwnersOnly):
        made.add_member(GUEST, Role.OWNER, actor_id=ADMIN, now=clock.now())
    with pytest.raises(OwnersOnly):
        made.set_role(ADMIN, Role.OWNER, actor_id=ADMIN, now=clock.now())
    with pytest.raises(OwnersOnly):
        made.remove_member(OWNER, actor_id=ADMIN, now=clock.now())
    with pytest.raises(OwnersOnly):
        made.require_owned(ADMIN)


def test_the_last_owner_stays_one(clock: FrozenClock) -> None:
    made = team(clock)

    with pytest.raises(LastOwner):
        made.remove_member(OWNER, actor_id=OWNER, now=clock.now())
    with pytest.raises(LastOwner):
        made.set_role(OWNER, Role.VIEWER, actor_id=OWNER, now=clock.now())


def test_an_owner_may_hand_over(clock: FrozenClock) -> None:
    made = team(clock)

    made.set_role(ADMIN, Role.OWNER, actor_id=OWNER, now=clock.now())
    made.remove_member(OWNER, actor_id=ADMIN, now=clock.now())

    assert set(made.members) == {ADMIN}
    assert [type(event).__name__ for event in made.pull_events()] == [
        "MemberRoleChanged",
        "MemberRemoved",
    ]


def test_a_new_role_keeps_the_day_of_joining(clock: FrozenClock) -> None:
    made, joined = team(clock), clock.now()
    clock.advance(days=1)

    made.set_role(ADMIN, Role.VIEWER, actor_id=OWNER, now=clock.now())

    assert made.members[ADMIN].joined_at == joined == clock.now() - timedelta(days=1)


def test_strangers_are_not_members(clock: FrozenClock) -> None:
    made = team(clock)

    with pytest.raises(MemberNotFound):
        made.remove_member(GUEST, actor_id=OWNER, now=clock.now())
    with pytest.raises(MemberNotFound):
        made.set_role(GUEST, Role.VIEWER, actor_id=OWNER, now=clock.now())


def test_an_owner_gives_the_space_away_and_stays(clock: FrozenClock) -> None:
    given = team(clock)
    given.transfer(ADMIN, actor_id=OWNER, now=clock.now())

    assert (given.role_of(ADMIN), given.role_of(OWNER)) == (Role.OWNER, Role.ADMIN)


@pytest.mark.parametrize(
    ("actor", "heir", "error"),
    [(ADMIN, ADMIN, OwnersOnly), (OWNER, GUEST, MemberNotFound)],
)
def test_nobody_else_gives_it_away_nor_to_strangers(
    clock: FrozenClock, actor: UserId, heir: UserId, error: type[Exception]
) -> None:
    kept = team(clock)

    with pytest.raises(error):
        kept.transfer(heir, actor_id=actor, now=clock.now())
    assert kept.role_of(OWNER) is Role.OWNER
