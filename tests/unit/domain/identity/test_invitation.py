"""How long an invitation lets people in, and as what."""

from datetime import timedelta

import pytest

from domain.identity.error import InvalidIdentity, InvitationNotFound
from domain.identity.invitation import (
    INVITATION_TTL,
    Invitation,
    InvitationMade,
    InvitationRevoked,
)
from domain.shared.access import Role
from domain.shared.ids import InvitationId, SpaceId, UserId
from domain.shared.secret import Secret
from tests.support.clock import FrozenClock

MAKER = UserId(1)


def made(
    clock: FrozenClock,
    *,
    role: Role = Role.EDITOR,
    max_uses: int | None = 1,
    lasts: timedelta | None = None,
) -> Invitation:
    return Invitation.create(
        id=InvitationId(7),
        space_id=SpaceId(9),
        code=Secret("code"),
        role=role,
        max_uses=max_uses,
        expires_at=None if lasts is None else clock.now() + lasts,
        actor_id=MAKER,
        now=clock.now(),
    )


@pytest.mark.parametrize("max_uses", [1, 3, 1000])
def test_it_lets_as_many_in_as_it_says(clock: FrozenClock, max_uses: int) -> None:
    invitation = made(clock, max_uses=max_uses)
    for _ in range(max_uses):
        invitation.use(now=clock.now())

    with pytest.raises(InvitationNotFound):
        invitation.use(now=clock.now())
    assert invitation.uses == max_uses


def test_without_a_number_it_lets_in_whoever_comes_in_time(clock: FrozenClock) -> None:
    invitation = made(clock, max_uses=None)
    for _ in range(2000):
        invitation.use(now=clock.now())

    clock.advance(seconds=INVITATION_TTL.total_seconds())

    with pytest.raises(InvitationNotFound):
        invitation.use(now=clock.now())


def test_a_revoked_one_lets_nobody_in(clock: FrozenClock) -> None:
    invitation = made(clock)
    invitation.revoke(actor_id=MAKER, now=clock.now())
    invitation.revoke(actor_id=MAKER, now=clock.now())

    with pytest.raises(InvitationNotFound):
        invitation.require_open(now=clock.now())
    assert [type(event) for event in invitation.pull_events()] == [
        InvitationMade,
        InvitationRevoked,
    ]


@pytest.mark.parametrize(
    ("rule", "role", "max_uses", "lasts"),
    [
        ("role", Role.OWNER, 1, None),
        ("max_uses", Role.VIEWER, 0, None),
        ("max_uses", Role.VIEWER, 1001, None),
        ("expires_at", Role.VIEWER, 1, timedelta(0)),
        ("expires_at", Role.VIEWER, 1, timedelta(days=91)),
    ],
)
def test_what_breaks_a_rule_is_refused(
    clock: FrozenClock, rule: str, role: Role, max_uses: int, lasts: timedelta | None
) -> None:
    with pytest.raises(InvalidIdentity, match=rule):
        made(clock, role=role, max_uses=max_uses, lasts=lasts)
